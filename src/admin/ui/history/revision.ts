import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RevisionDto, WholeRevisionDto } from '../../revisions.controller.js';
import { jsonQuery } from '../api/client.js';
import { KEYS } from '../api/keys.js';

/** The number of versions on a page. */
export const LIMIT = 50;

export function revisionsPath(postId: number): string {
  return `admin/api/posts/${postId}/revisions/`;
}

/** Reads a revision. Revisions are immutable, so the response never becomes stale. */
export function useRevision(postId: number, number: number | undefined): UseQueryResult<WholeRevisionDto> {
  const key = [...KEYS.revisions(postId), number];
  const query = jsonQuery<WholeRevisionDto>(key, `${revisionsPath(postId)}${number}/`);
  return useQuery({ ...query, enabled: number !== undefined, staleTime: Number.POSITIVE_INFINITY });
}

/** Reads the newest revision of a post, or its deletion, independent of the page of the history that is shown. */
export function useNewestRevision(postId: number): UseQueryResult<RevisionDto | undefined> {
  const query = jsonQuery<RevisionDto[]>(KEYS.newestRevision(postId), revisionsPath(postId), { limit: 1 });
  return useQuery({ ...query, select: ([newest]) => newest, gcTime: 0 });
}
