import { Answer, contentEntityTag } from '../http/answer.js';
import { formatLinks, type Link } from '../http/link-header.js';
import { JSON_TYPE } from '../http/media-types.js';
import { encodePageCursor, type PageCursor } from '../http/page-cursor.js';
import type { RequestContext } from '../http/request-context.js';
import { pathOf } from '../http/route.js';
import type { ListPostsQuery } from './dto/list-posts.query.js';
import { PostDto } from './dto/post.dto.js';
import { cursorScope } from './list-request.js';
import { postEntityTag } from './post-entity-tag.js';
import type { Post } from './post.entity.js';
import { postDetail, postList } from './posts.routes.js';
import type { PostPage } from './posts.service.js';

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

/** 204: the post is gone. */
export function answerDeleted(): Answer {
  return new Answer({ status: 204 });
}

/** 200 with a page of posts. @param total the number of posts in the whole list, when the client prefers to know it */
export function answerPage(
  page: PostPage,
  query: ListPostsQuery,
  context: RequestContext,
  total?: number,
): Answer {
  const { fields } = query;
  const posts = fields
    ? page.posts.map((post) => PostDto.fromPart(post, fields))
    : page.posts.map((post) => PostDto.from(post as Post));
  const link = formatLinks(linksOf(page, query, context));
  return new Answer({
    status: 200,
    headers: {
      ...REPRESENTATION,
      Link: link,
      ...(total === undefined ? {} : { 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' }),
    },
    entityTag: pageEntityTag(page, link),
    body: JSON.stringify(posts),
  });
}

/** Any change of a listed post changes the tag, even one of a field that is left out; so does a new neighbour page. */
function pageEntityTag({ posts }: PostPage, link: string): string {
  const versions = posts.map(({ id, version }) => `${id}-${version}`).join();
  return contentEntityTag(`${versions} ${link}`);
}

function linksOf({ next, previous }: PostPage, query: ListPostsQuery, context: RequestContext): Link[] {
  const start = context.baseUrl + pathOf(postList);
  const kept = context.query
    .split('&')
    .filter((pair) => pair !== '' && !/^(?:cursor|offset)(?:=|$)/.test(pair));
  const target = (cursor?: PageCursor): string => {
    const pairs = cursor
      ? [...kept, `cursor=${encodePageCursor({ ...cursor, scope: cursorScope(query) })}`]
      : kept;
    return pairs.length === 0 ? start : `${start}?${pairs.join('&')}`;
  };
  return [
    ...(next ? [{ target: target(next), rel: 'next' }] : []),
    ...(previous ? [{ target: target(previous), rel: 'prev' }] : []),
    { target: target(), rel: 'first' },
  ];
}
