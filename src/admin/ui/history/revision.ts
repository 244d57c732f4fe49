import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { replacePost } from '../api/post-requests.js';
import type { Post, PostRow } from '../api/posts.js';
import { hasStatus } from '../api/problem.js';
import type { Action, Author } from '../changes/change.js';

/** A version of a post, as lists have it. */
export interface Revision extends Omit<PostRow, 'id'> {
  /** The last part of the ETag that the post has in this version. */
  readonly number: number;
  readonly action: Exclude<Action, 'purged'>;
  readonly at: string;
  readonly author: Author;
}

export type WholeRevision = Revision & Omit<Post, 'id'>;

/** Somebody has changed the post since its versions were looked at. */
export class ChangedMeanwhile extends Error {}

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

export function loadRevision(postId: number, number: number, signal?: AbortSignal): Promise<WholeRevision> {
  return api.json<WholeRevision>(`${revisionsPath(postId)}${number}/`, { signal });
}

/**
 * Makes the content of a living post that of one of its versions.
 *
 * @param newest the version over which it is restored, and over no other
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

/** The version that a post is in now, or its deletion; whichever page of its history is shown. */
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
