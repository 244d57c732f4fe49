import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useGetList, type UseGetListHookValue } from 'react-admin';
import { api } from '../../api/client.js';
import type { PageCursors } from '../../api/cursors.js';
import type { PostListMeta } from '../../api/data-provider.js';
import type { PostRow } from '../../api/posts.js';
import { filterOf, type ListState, type PostFilter } from './list-state.js';

const ROW_FIELDS = 'id,title,pub_date';

/** One page of rows. While the next is on its way, the one before stays. */
export function usePostPage(state: ListState): UseGetListHookValue<PostRow> & { cursors: PageCursors } {
  const meta: PostListMeta = {
    fields: ROW_FIELDS,
    ...(state.cursor !== undefined && { cursor: state.cursor }),
  };
  const page = useGetList<PostRow>(
    'posts',
    { pagination: { page: 1, perPage: state.limit }, sort: state.sort, filter: filterOf(state), meta },
    { placeholderData: keepPreviousData },
  );
  return { ...page, cursors: (page.meta ?? {}) as PageCursors };
}

/** How many posts match: a request of its own, for which no row waits. */
export function usePostCount(filter: PostFilter): UseQueryResult<number> {
  return useQuery({
    queryKey: ['posts', 'count', filter],
    queryFn: ({ signal }) => countPosts(filter, signal),
  });
}

export async function countPosts(filter: PostFilter, signal?: AbortSignal): Promise<number> {
  const response = await api.send('posts/', {
    query: { ...filter, limit: 1, fields: 'id' },
    headers: { Prefer: 'count=exact' },
    signal,
  });
  return Number(response.headers.get('X-Total-Count'));
}

/** The beginnings of the bodies of the rows, once these are there. */
export function useExcerpts(ids: readonly number[], isShown: boolean): UseQueryResult<Map<number, string>> {
  return useQuery({
    queryKey: ['posts', 'excerpts', ids],
    queryFn: async ({ signal }) => {
      const excerpts = await api.json<{ id: number; excerpt: string }[]>('admin/api/excerpts/', {
        query: { id: ids.join(',') },
        signal,
      });
      return new Map(excerpts.map(({ id, excerpt }) => [id, excerpt]));
    },
    enabled: isShown && ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

export interface MonthCount {
  /** `2026-11` */
  readonly month: string;
  readonly posts: number;
}

/** The months that have posts, newest first, whatever range of dates the list shows. */
export function useMonths(search: string): UseQueryResult<MonthCount[]> {
  const filter = filterOf({ search, from: '', to: '' });
  return useQuery({
    queryKey: ['posts', 'months', filter],
    queryFn: ({ signal }) => api.json<MonthCount[]>('admin/api/months/', { query: { ...filter }, signal }),
    placeholderData: keepPreviousData,
  });
}
