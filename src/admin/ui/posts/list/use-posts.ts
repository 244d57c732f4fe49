import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Excerpt } from '../../../../posts/overview/overview.service.js';
import { api, jsonQuery } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { POSTS_PATH } from '../../api/posts.js';
import type { PostFilter } from './list-view.js';

/** Counts the matching posts in a separate request, so that rows do not wait for it. */
export function usePostCount(filter: PostFilter): UseQueryResult<number> {
  const query = { ...filter, limit: 1, fields: 'id' };
  const headers = { Prefer: 'count=exact' };
  return useQuery({
    queryKey: [...KEYS.postCount, filter],
    queryFn: async ({ signal }) => {
      const response = await api.send(POSTS_PATH, { query, headers, signal });
      return Number(response.headers.get('X-Total-Count'));
    },
  });
}

/** Reads the excerpts of the rows' bodies, after the rows. */
export function useExcerpts(ids: readonly number[], isShown: boolean): UseQueryResult<Map<number, string>> {
  const key = [...KEYS.excerpts, ids];
  return useQuery({
    ...jsonQuery<Excerpt[]>(key, 'admin/api/excerpts/', { id: ids.join(',') }),
    select: byId,
    enabled: isShown && ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

function byId(excerpts: readonly Excerpt[]): Map<number, string> {
  return new Map(excerpts.map(({ id, excerpt }) => [id, excerpt]));
}
