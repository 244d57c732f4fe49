import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { countPosts } from '../../api/post-requests.js';
import { FIELD, FIELDS, type MonthCount, type PostRow, POSTS_PATH } from '../../api/posts.js';
import { type CursorPage, useCursorPage } from '../../shell/cursor-page.js';
import { filterOf, type ListState, orderingOf, type PostFilter } from './list-state.js';

const ROW_FIELDS = ['id', ...FIELDS.filter((field) => FIELD[field].kind !== 'text')].join();

/** One page of rows. */
export function usePostPage(state: ListState): UseQueryResult<CursorPage<PostRow>> {
  const { limit } = state;
  return useCursorPage(POSTS_PATH, {
    ...filterOf(state),
    ordering: orderingOf(state),
    limit,
    fields: ROW_FIELDS,
  });
}

/** How many posts match: a request of its own, for which no row waits. */
export function usePostCount(filter: PostFilter): UseQueryResult<number> {
  return useQuery({
    queryKey: [POSTS_PATH, 'count', filter],
    queryFn: ({ signal }) => countPosts({ ...filter }, signal),
  });
}

/** The beginnings of the bodies of the rows, once these are there. */
export function useExcerpts(ids: readonly number[], isShown: boolean): UseQueryResult<Map<number, string>> {
  return useQuery({
    queryKey: [POSTS_PATH, 'excerpts', ids],
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

/** The months that have posts, newest first, whatever range of dates the list shows. */
export function useMonths(search: string): UseQueryResult<MonthCount[]> {
  const filter = filterOf({ search, from: '', to: '' });
  return useQuery({
    queryKey: [POSTS_PATH, 'months', filter],
    queryFn: ({ signal }) => api.json<MonthCount[]>('admin/api/months/', { query: { ...filter }, signal }),
    placeholderData: keepPreviousData,
  });
}
