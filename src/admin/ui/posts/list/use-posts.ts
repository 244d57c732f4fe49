import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Excerpt } from '../../../../posts/overview/overview.service.js';
import { api } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { type PostRow, POSTS_PATH, ROW_FIELDS } from '../../api/posts.js';
import { type RowsQuery, useListRows } from '../../shell/list/list-rows.js';
import type { ListView, PostFilter } from './list-view.js';

export function usePostPage(filter: PostFilter, view: ListView): RowsQuery<PostRow> {
  return useListRows(KEYS.postList, POSTS_PATH, { ...filter, ...view, fields: ROW_FIELDS });
}

/** Counts the matching posts in a separate request, so that rows do not wait for it. */
export function usePostCount(filter: PostFilter): UseQueryResult<number> {
  return useQuery({
    queryKey: [...KEYS.postCount, filter],
    queryFn: async ({ signal }) => {
      const headers = { Prefer: 'count=exact' };
      const response = await api.send(POSTS_PATH, {
        query: { ...filter, limit: 1, fields: 'id' },
        headers,
        signal,
      });
      return Number(response.headers.get('X-Total-Count'));
    },
  });
}

/** Reads the excerpts of the rows' bodies, after the rows. */
export function useExcerpts(ids: readonly number[], isShown: boolean): UseQueryResult<Map<number, string>> {
  return useQuery({
    queryKey: [...KEYS.excerpts, ids],
    queryFn: async ({ signal }) => {
      const query = { id: ids.join(',') };
      const excerpts = await api.json<Excerpt[]>('admin/api/excerpts/', { query, signal });
      return new Map(excerpts.map(({ id, excerpt }) => [id, excerpt]));
    },
    enabled: isShown && ids.length > 0,
    placeholderData: keepPreviousData,
  });
}
