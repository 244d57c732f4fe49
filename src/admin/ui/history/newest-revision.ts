import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { type Revision, revisionsPath } from './revision.js';

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
