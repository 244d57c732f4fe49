import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RevisionDto, WholeRevisionDto } from '../../history/post-history.controller.js';
import { api } from '../api/client.js';
import { hasStatus } from '../api/problem.js';

/** The post changed after its history was read. */
export class ChangedMeanwhile extends Error {}

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

export function loadRevision(
  postId: number,
  number: number,
  signal?: AbortSignal,
): Promise<WholeRevisionDto> {
  return api.json<WholeRevisionDto>(`${revisionsPath(postId)}${number}/`, { signal });
}

/**
 * Restores the content of an existing post from one of its revisions.
 *
 * @param newest the revision that must still be the newest one
 * @throws ChangedMeanwhile
 */
export async function restoreRevision(postId: number, number: number, newest: number): Promise<void> {
  try {
    await api.send(`${revisionsPath(postId)}${number}/restorations/`, { method: 'POST', json: { newest } });
  } catch (error) {
    if (hasStatus(error, 404, 412)) throw new ChangedMeanwhile();
    throw error;
  }
}

/** Reads the newest revision of a post, or its deletion, independent of the page of the history that is shown. */
export function useNewestRevision(postId: number): UseQueryResult<RevisionDto | undefined> {
  return useQuery({
    queryKey: ['newest-revision', postId],
    queryFn: async ({ signal }) => {
      const [newest] = await api.json<RevisionDto[]>(revisionsPath(postId), { query: { limit: 1 }, signal });
      return newest;
    },
    gcTime: 0,
  });
}
