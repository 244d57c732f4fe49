import { Answer, contentEntityTag } from '../http/answer.js';
import { formatLinks, type Link } from '../http/link-header.js';
import { JSON_TYPE } from '../http/media-types.js';
import { linksOfPage, type PageNeighbours } from '../http/page-links.js';
import type { RequestContext } from '../http/request-context.js';
import { pathOf } from '../http/route.js';
import { StreamedAnswer } from '../http/streamed-answer.js';
import type { ListPostsQuery } from './dto/list-posts.query.js';
import { PostDto } from './dto/post.dto.js';
import { cursorScope } from './list-request.js';
import type { PostStream } from './post-stream.js';
import { postEntityTag } from './post-entity-tag.js';
import type { Post } from './post.entity.js';
import { postDetail, postList } from './posts.routes.js';
import type { OpenPage, PostPage } from './posts.service.js';
import type { ImportResult } from './import/imports.service.js';
import {
  type LineFormat,
  type PostList,
  type PostListRepresentation,
  writePage,
} from './representations/post-list-representation.js';

/** What every representation of posts says of caches: keep it, but ask whether it still holds. */
const REPRESENTATION = {
  'Content-Type': JSON_TYPE,
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Accept-Encoding',
};

/** 200 with one post. */
export function answerPost(post: Post): Answer {
  return new Answer({
    status: 200,
    headers: REPRESENTATION,
    entityTag: postEntityTag(post),
    body: JSON.stringify(PostDto.from(post)),
  });
}

/** 201 with the post that was stored, and where it is now. */
export function answerCreated(post: Post, { baseUrl }: RequestContext): Answer {
  return new Answer({
    status: 201,
    headers: { ...REPRESENTATION, Location: baseUrl + pathOf(postDetail, { id: post.id }) },
    entityTag: postEntityTag(post),
    body: JSON.stringify(PostDto.from(post)),
  });
}

/** 201 with what an import has stored. */
export function answerImported({ created, ids }: ImportResult, { baseUrl }: RequestContext): Answer {
  return new Answer({
    status: 201,
    headers: { ...REPRESENTATION, Location: baseUrl + pathOf(postList) },
    body: JSON.stringify({ created, first_id: ids?.first ?? null, last_id: ids?.last ?? null }),
  });
}

/** 204: the post is gone. */
export function answerDeleted(): Answer {
  return new Answer({ status: 204 });
}

/** What is said of a list besides its posts. */
export interface ListAnswer {
  readonly representation: PostListRepresentation;
  readonly query: ListPostsQuery;
  readonly context: RequestContext;
  /** The number of posts in the whole list, when the client prefers to know it. */
  readonly total: number | undefined;
}

/** 200 with a page of posts. @param feedId names the collection among all others */
export function answerPage(page: PostPage, feedId: string, list: ListAnswer): Answer {
  const { headers, entityTag, shown } = describePage(page, feedId, list);
  const body = writePage(list.representation, page.posts, shown);
  return new Answer({ status: 200, headers, entityTag, body });
}

/** The same for a page of which some posts are large: it is sent as they are read. */
export function answerOpenPage(page: OpenPage, feedId: string, list: ListAnswer): StreamedAnswer {
  const { headers, entityTag, shown } = describePage(page, feedId, list);
  const { head, separator, tail, post } = list.representation.format(page.posts, shown);
  return new StreamedAnswer(headers, entityTag, {
    async *chunks() {
      let before = head;
      for await (const posts of page.whole()) {
        yield before + posts.map(post).join(separator);
        before = separator;
      }
      yield tail;
    },
    close: () => page.close(),
  });
}

/** Whether a page holds bodies that were not read with it. */
export function hasLargeBodies({ posts }: PostPage): boolean {
  return posts.some(({ body }) => body === null);
}

function describePage(
  page: PostPage,
  feedId: string,
  { representation, query, context, total }: ListAnswer,
): { headers: Record<string, string>; entityTag: string; shown: PostList } {
  const links = linksOf(page, query, context);
  const link = formatLinks(links);
  const collection = context.baseUrl + pathOf(postList);
  return {
    headers: {
      ...REPRESENTATION,
      'Content-Type': representation.contentType,
      Link: link,
      ...countFields(total),
    },
    entityTag: pageEntityTag(page, link, representation),
    shown: {
      fields: query.fields,
      urlOf: (post) => context.baseUrl + pathOf(postDetail, post),
      self: context.query === '' ? collection : `${collection}?${context.query}`,
      links,
      scope: cursorScope(query),
      feedId,
    },
  };
}

/** 200 with all posts of a selection. @param state differs whenever any post does */
export function answerStream(
  stream: PostStream,
  state: string,
  format: LineFormat,
  list: ListAnswer,
): StreamedAnswer {
  const { representation, query, context, total } = list;
  const link = formatLinks(linksOf({ next: undefined, previous: undefined }, query, context));
  return new StreamedAnswer(
    { ...REPRESENTATION, 'Content-Type': representation.contentType, Link: link, ...countFields(total) },
    `${state}-${representation.mediaType.replace(/^.*\//, '')}`,
    {
      async *chunks() {
        // Comes with the first posts, so that a fault in reading them can still be answered as one.
        let head = format.head(query.fields);
        for await (const posts of stream.batches()) {
          yield head + posts.map((post) => format.line(post, query.fields)).join('');
          head = '';
        }
        yield head;
      },
      close: () => stream.close(),
    },
  );
}

function countFields(total: number | undefined): Record<string, string> {
  return total === undefined ? {} : { 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' };
}

/**
 * Any change of a listed post changes the tag, even one of a field that is left out; so does a new neighbour page. Each
 * representation has tags of its own.
 */
function pageEntityTag({ posts }: PostPage, link: string, { mediaType }: PostListRepresentation): string {
  const versions = posts.map(({ id, version }) => `${id}-${version}`).join();
  return contentEntityTag(`${mediaType} ${versions} ${link}`);
}

function linksOf(page: PageNeighbours, query: ListPostsQuery, context: RequestContext): Link[] {
  const url = context.baseUrl + pathOf(postList);
  return linksOfPage(page, { url, query: context.query, scope: cursorScope(query) });
}
