import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Excerpt, MonthCount } from '../../../../posts/overview/overview.service.js';
import type { PostRowDto } from '../../../posts.controller.js';
import { api } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { countPosts } from '../../api/post-requests.js';
import { POST_LIST } from '../../api/posts.js';
import { type ListRows, useListRows } from '../../shell/list/list-rows.js';
import { filterOf, type ListView, type PostFilter, reverseOf } from './list-view.js';

/** Reads one page of rows. */
export function usePostPage(
  filter: PostFilter,
  { ordering, limit }: ListView,
): UseQueryResult<ListRows<PostRowDto>> {
  return useListRows(
    KEYS.postList,
    POST_LIST,
    { ...filter, ordering, limit },
    { ordering: reverseOf(ordering) },
  );
}

/** Counts the matching posts in a separate request, so that rows do not wait for it. */
export function usePostCount(filter: PostFilter): UseQueryResult<number> {
  return useQuery({
    queryKey: [...KEYS.postCount, filter],
    queryFn: ({ signal }) => countPosts({ ...filter }, signal),
  });
}

/** Finds the post whose id was entered as the search: `5002`. */
export function usePostOfNumber(search: string): PostRowDto | undefined {
  const id = /^[1-9]\d{0,14}$/.exec(search.trim())?.[0];
  const { data } = useQuery({
    queryKey: [...KEYS.postList, 'number', id],
    queryFn: ({ signal }) => api.json<PostRowDto[]>(POST_LIST, { query: { id }, signal }),
    enabled: id !== undefined,
  });
  return id === undefined ? undefined : data?.[0];
}

/** Reads the excerpts of the rows' bodies, after the rows. */
export function useExcerpts(
  ids: readonly number[],
  search: string | undefined,
  isShown: boolean,
): UseQueryResult<Map<number, string>> {
  return useQuery({
    queryKey: [...KEYS.excerpts, ids, search],
    queryFn: async ({ signal }) => {
      const excerpts = await api.json<Excerpt[]>('admin/api/excerpts/', {
        query: { id: ids.join(','), search },
        signal,
      });
      return new Map(excerpts.map(({ id, excerpt }) => [id, excerpt]));
    },
    enabled: isShown && ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** Reads the months of a time zone that contain posts, newest first, independent of the list's date range. */
export function useMonths(search: string, zone: string): UseQueryResult<MonthCount[]> {
  const { search: words, id } = filterOf({ search, from: '', to: '' }, zone);
  return useQuery({
    queryKey: [...KEYS.posts, 'months', words, zone],
    queryFn: ({ signal }) =>
      api.json<MonthCount[]>('admin/api/months/', { query: { search: words, time_zone: zone }, signal }),
    enabled: id === undefined,
    placeholderData: keepPreviousData,
  });
}
