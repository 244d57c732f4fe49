import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { replacePost } from '../api/post-requests.js';
import type { Post, PostRow } from '../api/posts.js';
import { hasStatus } from '../api/problem.js';
import type { Action, Author } from '../changes/change.js';

/** A revision of a post, as lists return it. */
export interface Revision extends Omit<PostRow, 'id'> {
  /** The revision's number, which is the last part of its ETag. */
  readonly number: number;
  readonly action: Exclude<Action, 'purged'>;
  readonly at: string;
  readonly author: Author;
}

export type WholeRevision = Revision & Omit<Post, 'id'>;

/** The post changed after its history was read. */
export class ChangedMeanwhile extends Error {}

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

export function loadRevision(postId: number, number: number, signal?: AbortSignal): Promise<WholeRevision> {
  return api.json<WholeRevision>(`${revisionsPath(postId)}${number}/`, { signal });
}

/**
 * Restores the content of an existing post from one of its revisions.
 *
 * @param newest the revision that must still be the newest one
 * @throws ChangedMeanwhile
 */
export async function restoreRevision(postId: number, number: number, newest: number): Promise<void> {
  const revision = await loadRevision(postId, number);
  try {
    await replacePost(postId, `"${postId}-${newest}"`, revision);
  } catch (error) {
    if (hasStatus(error, 404, 412)) throw new ChangedMeanwhile();
    throw error;
  }
}

/** Reads the newest revision of a post, or its deletion, independent of the page of the history that is shown. */
export function useNewestRevision(postId: number): UseQueryResult<Revision | undefined> {
  return useQuery({
    queryKey: ['newest-revision', postId],
    queryFn: async ({ signal }) => {
      const [newest] = await api.json<Revision[]>(revisionsPath(postId), { query: { limit: 1 }, signal });
      return newest;
    },
    gcTime: 0,
  });
}
