import type { PostDto } from '../../../posts/dto/post.dto.js';
import { jsonOf } from './api.js';
import { api } from './client.js';
import { type Content, contentOf, FIELD, FIELDS, POSTS_PATH, type PostWithEtag } from './posts.js';

/** Reads the stored post. @throws Problem 404 */
export async function readPost(id: number, signal?: AbortSignal): Promise<PostWithEtag> {
  return withEtag(await api.send(`${POSTS_PATH}${id}/`, { signal }));
}

/** Creates a post. With the same Idempotency-Key, a retry after a lost response creates no second post. */
export async function createPost(content: Content, idempotencyKey: string): Promise<PostWithEtag> {
  const headers = { 'Idempotency-Key': `"${idempotencyKey}"` };
  return withEtag(await api.send(POSTS_PATH, { method: 'POST', json: asSent(content), headers }));
}

/**
 * Replaces a post if it is unchanged since it was read. @throws Problem 412 when it changed, 404 when it was deleted
 */
export async function replacePost(id: number, etag: string, content: Content): Promise<PostWithEtag> {
  const headers = { 'If-Match': etag };
  return withEtag(await api.send(`${POSTS_PATH}${id}/`, { method: 'PUT', json: asSent(content), headers }));
}

/** Deletes a post if it is unchanged since it was read. @throws Problem 412 when it changed, 404 when it was deleted */
export async function deletePost(id: number, etag: string): Promise<void> {
  await api.send(`${POSTS_PATH}${id}/`, { method: 'DELETE', headers: { 'If-Match': etag } });
}

/** Omits empty optional fields. Without a date, the service uses the current time, or keeps the stored date. */
function asSent(content: Content): Partial<Content> {
  const sent = FIELDS.filter((field) => content[field] !== '' || !FIELD[field].isOptional);
  return Object.fromEntries(sent.map((field) => [field, content[field]]));
}

async function withEtag(response: Response): Promise<PostWithEtag> {
  const post = await jsonOf<PostDto>(response);
  return { id: post.id, ...contentOf(post), etag: response.headers.get('ETag') ?? '' };
}
