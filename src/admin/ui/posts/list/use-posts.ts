import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Excerpt } from '../../../../posts/overview/overview.service.js';
import type { PostRowDto } from '../../../posts.controller.js';
import { api } from '../../api/client.js';
import { KEYS } from '../../api/keys.js';
import { countPosts } from '../../api/post-requests.js';
import { POST_LIST } from '../../api/posts.js';
import { type ListRows, useListRows } from '../../shell/list/list-rows.js';
import { type ListView, type PostFilter, reverseOf } from './list-view.js';

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

/** The number of ids that the service takes in one request. */
const EXCERPTS_AT_ONCE = 100;

/** Reads the excerpts of the rows' bodies, after the rows. */
export function useExcerpts(ids: readonly number[], isShown: boolean): UseQueryResult<Map<number, string>> {
  return useQuery({
    queryKey: [...KEYS.excerpts, ids],
    queryFn: async ({ signal }) => {
      const excerpts = new Map<number, string>();
      for (let from = 0; from < ids.length; from += EXCERPTS_AT_ONCE) {
        const id = ids.slice(from, from + EXCERPTS_AT_ONCE).join(',');
        const some = await api.json<Excerpt[]>('admin/api/excerpts/', { query: { id }, signal });
        for (const { id: postId, excerpt } of some) excerpts.set(postId, excerpt);
      }
      return excerpts;
    },
    enabled: isShown && ids.length > 0,
    placeholderData: keepPreviousData,
  });
}
