import { hash } from 'node:crypto';
import { HTML_TYPE, JSON_TYPE, showLastModified } from '../http/protocol/index.js';
import { ApiResponse, type UrlOf } from '../http/index.js';
import { formatLinks, linksOfPage } from '../paging/index.js';
import { LINKED_TYPES } from './formats/list-representations.js';
import {
  type PostListRepresentation,
  type ShownList,
  writeList,
  writePage,
} from './formats/post-list-representation.js';
import { postJson } from './formats/post-json.js';
import { listLastModified, postEntityTag } from './post-validators.js';
import type { Post } from './post.entity.js';
import type { PostList, PostStream } from './lists/post-lists.service.js';
import type { ListedPost } from './lists/listed-post.js';
import type { PostSelection } from './lists/post-selection.js';

/** The header fields of every representation of posts. Caches may store it but must revalidate it. */
const REPRESENTATION = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' };

/** 200 with one post. @param isCurrent whether it is still the same; without one, the response is not cached */
export function postResponse(post: Post, isCurrent?: () => Promise<boolean>): ApiResponse {
  return new ApiResponse({
    headers: REPRESENTATION,
    entityTag: postEntityTag(post),
    lastModified: { changedAt: post.modified },
    body: postJson(post),
    isCurrent,
  });
}

/** 201 with the stored post and its URL. */
export function createdResponse(created: Post, urlOf: UrlOf): ApiResponse {
  return new ApiResponse({
    status: 201,
    headers: {
      ...REPRESENTATION,
      Location: urlOf('post-detail', created),
      // A repeated request receives the original value.
      'Last-Modified': showLastModified({ changedAt: created.modified }).field,
    },
    entityTag: postEntityTag(created),
    body: postJson(created),
  });
}

/** What the response of a list needs of its request. */
export interface ListRequest {
  readonly selection: PostSelection;
  /** The query as the client sent it, for the links. */
  readonly rawQuery: string;
  readonly representation: PostListRepresentation;
  readonly urlOf: UrlOf;
}

/**
 * 200 with a page of posts, or with all of them.
 *
 * @param onRead called when the client reads a stream: not for HEAD or a 304
 */
export function listResponse(list: PostList, request: ListRequest, onRead?: () => void): ApiResponse {
  const { rows, posts, state, total, isCurrent } = list;
  const { selection, rawQuery, representation, urlOf } = request;
  const { scope, fields } = selection;
  const { mediaType, contentType, fileName } = representation;
  const collection = urlOf('post-list');
  const pages = linksOfPage(list, { url: collection, query: rawQuery, scope });
  // From the list to its feed, and from the feed to the page for people.
  const alternates = LINKED_TYPES.includes(mediaType) ? [HTML_TYPE] : LINKED_TYPES;
  const { target } = pages.at(-1)!;
  const links = [...pages, ...alternates.map((type) => ({ target, rel: 'alternate', type }))];
  const link = formatLinks(links, rawQuery.length);
  const shown: ShownList = {
    fields,
    urlOf: (post) => urlOf('post-detail', post),
    self: rawQuery === '' ? collection : `${collection}?${rawQuery}`,
    links,
    scope,
    feedId: state.feedId,
    rows: rows ?? [],
  };
  const chunks = (stream: PostStream, client: string): AsyncIterable<string> => {
    onRead?.();
    return writeList(representation, stream.batches(), shown, client);
  };
  return new ApiResponse({
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-cache',
      ...(link !== '' && { Link: link }),
      ...(fileName !== undefined && { 'Content-Disposition': `attachment; filename="${fileName}"` }),
      ...(total !== undefined && { 'X-Total-Count': String(total), 'Preference-Applied': 'count=exact' }),
    },
    entityTag: rows
      ? pageEntityTag(rows, link, mediaType)
      : `${state.feedId.slice(0, 8)}-${state.changes}-${mediaType.replace(/^.*\//, '')}`,
    lastModified: listLastModified(state),
    body:
      'close' in posts
        ? { chunks: (client) => chunks(posts, client), close: () => posts.close() }
        : writePage(representation, posts, shown),
    isCurrent,
  });
}

/**
 * The tag changes with any change of a listed post, even of a field that is left out, and with the links to the
 * neighbour pages. Each representation has its own tags.
 */
function pageEntityTag(rows: readonly ListedPost[], link: string, mediaType: string): string {
  const versions = rows.map(postEntityTag).join();
  return hash('sha1', `${mediaType} ${versions} ${link}`, 'base64url');
}
