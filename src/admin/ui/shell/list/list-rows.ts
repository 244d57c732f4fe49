import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { CountDto } from '../../../deleted-posts.controller.js';
import { api } from '../../api/client.js';
import type { QueryKey } from '../../api/keys.js';
import { cursorsOf, type PageCursors } from '../../api/cursors.js';

/** A page of a list with cursor pagination. */
export interface ListRows<Row> {
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
}

export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/**
 * Reads the page named by `cursor` in the URL; the previous page stays visible until then. With `end`, the length of the
 * last page, the list is read from its end: by the reverse order of posts, or by `last` of other lists.
 */
export function useListRows<Row>(
  key: QueryKey,
  path: string,
  query: ListQuery & { readonly limit: number },
  otherOrder?: ListQuery,
): UseQueryResult<ListRows<Row>> {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') || undefined;
  const end = Number(search.get('end') ?? 0);
  const isFromEnd = end > 0 && end <= query.limit;
  const isBackwards = isFromEnd && otherOrder !== undefined;
  const fromEnd = { ...query, ...(otherOrder ?? { last: 'true' }), ...(!cursor && { limit: end }) };
  const asked = isFromEnd ? fromEnd : query;
  return useQuery({
    queryKey: [...key, asked, cursor],
    queryFn: async ({ signal }): Promise<ListRows<Row>> => {
      const response = await api.send(path, { query: { ...asked, cursor }, signal });
      const rows = (await response.json()) as Row[];
      const cursors = cursorsOf(response.headers.get('Link'));
      if (!isBackwards) return { rows, cursors };
      return { rows: rows.toReversed(), cursors: { prev: cursors.next, next: cursors.prev } };
    },
    placeholderData: keepPreviousData,
  });
}

/** Counts the rows of a list in a separate request, so that rows do not wait for it. */
export function useCount(key: QueryKey, path: string, query: ListQuery): number | undefined {
  const { data } = useQuery({
    queryKey: [...key, 'count', query],
    queryFn: ({ signal }) => api.json<CountDto>(`${path}count/`, { query, signal }),
  });
  return data?.count;
}

/** Reads a complete list and filters it in the browser. */
export function useWholeList<Row>(
  key: QueryKey,
  path: string,
  isShown: (row: Row) => boolean,
): UseQueryResult<ListRows<Row>> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.json<Row[]>(path, { signal }),
    select: (rows): ListRows<Row> => ({ rows: rows.filter(isShown), cursors: {} }),
  });
}

/** Whether a name contains the search text; case does not matter. */
export function isLike(name: string, words: string): boolean {
  return name.toLowerCase().includes(words.trim().toLowerCase());
}
