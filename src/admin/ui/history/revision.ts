import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RevisionDto, WholeRevisionDto } from '../../posts.controller.js';
import { api } from '../api/client.js';
import { KEYS } from '../api/keys.js';

/** The number of versions on a page. */
export const LIMIT = 50;

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

/** Reads a revision. Revisions are immutable, so the response never becomes stale. */
export function useRevision(postId: number, number: number | undefined): UseQueryResult<WholeRevisionDto> {
  const path = `${revisionsPath(postId)}${number}/`;
  return useQuery({
    queryKey: [...KEYS.revisions(postId), number],
    queryFn: ({ signal }) => api.json<WholeRevisionDto>(path, { signal }),
    enabled: number !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Reads the newest revision of a post, or its deletion, independent of the page of the history that is shown. */
export function useNewestRevision(postId: number): UseQueryResult<RevisionDto | undefined> {
  return useQuery({
    queryKey: KEYS.newestRevision(postId),
    queryFn: async ({ signal }) => {
      const [newest] = await api.json<RevisionDto[]>(revisionsPath(postId), { query: { limit: 1 }, signal });
      return newest;
    },
    gcTime: 0,
  });
}
