import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { api } from '../../api/client.js';
import { cursorsOf, type PageCursors } from '../../api/cursors.js';

/** A page of a list that is walked by cursors. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
}

export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/**
 * Asks for the page that the address names with `cursor`; the one before stays on the screen meanwhile. With `end`, the
 * length of the last page, the list is walked from its end, if it can be asked for in the other order.
 */
export function useListPage<Row>(
  path: string,
  query: ListQuery & { readonly limit: number },
  otherOrder?: ListQuery,
): UseQueryResult<ListPage<Row>> {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') || undefined;
  const end = otherOrder && Number(search.get('end') ?? 0);
  const isBackwards = end !== undefined && end > 0 && end <= query.limit;
  const asked = isBackwards ? { ...query, ...otherOrder, ...(!cursor && { limit: end }) } : query;
  return useQuery({
    queryKey: [path, asked, cursor],
    queryFn: async ({ signal }): Promise<ListPage<Row>> => {
      const response = await api.send(path, { query: { ...asked, cursor }, signal });
      const rows = (await response.json()) as Row[];
      const cursors = cursorsOf(response.headers.get('Link'));
      if (!isBackwards) return { rows, cursors };
      const { next: prev, prev: next } = cursors;
      return { rows: rows.toReversed(), cursors: { ...(prev && { prev }), ...(next && { next }) } };
    },
    placeholderData: keepPreviousData,
  });
}

/** A list that is asked for as a whole, of which some rows are shown. */
export function useWholeList<Row>(
  path: string,
  isShown: (row: Row) => boolean,
): UseQueryResult<ListPage<Row>> {
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => api.json<Row[]>(path, { signal }),
    select: (rows): ListPage<Row> => ({ rows: rows.filter(isShown), cursors: {} }),
  });
}

/** Whether a name has the words that are searched for in it; case does not matter. */
export function isLike(name: string, words: string): boolean {
  return name.toLowerCase().includes(words.trim().toLowerCase());
}
