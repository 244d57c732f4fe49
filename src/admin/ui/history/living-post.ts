import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { hasStatus } from '../api/problem.js';

/** Whether there is a post now, and its validator. */
export type LivingPost = { readonly etag: string } | 'deleted';

export function useLivingPost(postId: number): UseQueryResult<LivingPost> {
  return useQuery({
    queryKey: ['living-post', postId],
    queryFn: async ({ signal }): Promise<LivingPost> => {
      try {
        const response = await api.send(`posts/${postId}/`, { signal });
        await response.body?.cancel();
        return { etag: response.headers.get('ETag') ?? '' };
      } catch (error) {
        if (hasStatus(error, 404)) return 'deleted';
        throw error;
      }
    },
  });
}
