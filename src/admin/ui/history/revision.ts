import { api } from '../api/client.js';
import type { Action, Author } from '../changes/change.js';

/** A version of a post, as lists have it. */
export interface Revision {
  readonly number: number;
  readonly action: Exclude<Action, 'purged'>;
  readonly at: string;
  readonly author: Author;
  readonly title: string;
  readonly pub_date: string;
}

export interface WholeRevision extends Revision {
  readonly body: string;
}

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

export function loadRevision(postId: number, number: number, signal?: AbortSignal): Promise<WholeRevision> {
  return api.json<WholeRevision>(`${revisionsPath(postId)}${number}/`, { signal });
}

/**
 * Makes the content of a living post that of one of its versions.
 *
 * @param etag of the post as it was looked at; when it has another by now, nothing is changed
 */
export async function restoreRevision(postId: number, number: number, etag: string): Promise<void> {
  const { title, pub_date, body } = await loadRevision(postId, number);
  await api.send(`posts/${postId}/`, {
    method: 'PUT',
    json: { title, pub_date, body },
    headers: { 'If-Match': etag },
  });
}
