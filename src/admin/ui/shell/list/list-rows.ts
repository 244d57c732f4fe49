import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { CountDto } from '../../../deleted-posts.controller.js';
import { api } from '../../api/client.js';
import type { QueryKey } from '../../api/keys.js';

/** A page of a list with cursor pagination. */
export interface ListRows<Row> {
  readonly rows: readonly Row[];
  readonly cursors: PageCursors;
}

/** The cursors of the neighbouring pages. */
export interface PageCursors {
  readonly next?: string | undefined;
  readonly prev?: string | undefined;
}

export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/**
 * Reads the page named by `cursor` in the URL; the previous page stays visible until then.
 *
 * @param fromEnd the parameters that read the list from its end, for a URL with `end`, the length of the last page. With
 * an `ordering`, the rows come in reverse. Without parameters, `end` is ignored: the list has no last page.
 */
export function useListRows<Row>(
  key: QueryKey,
  path: string,
  query: ListQuery & { readonly limit: number },
  fromEnd?: ListQuery,
): UseQueryResult<ListRows<Row>> {
  const [search] = useSearchParams();
  const cursor = search.get('cursor') || undefined;
  const end = Number(search.get('end') ?? 0);
  const isFromEnd = fromEnd !== undefined && end > 0 && end <= query.limit;
  const isBackwards = isFromEnd && 'ordering' in fromEnd;
  const asked = isFromEnd ? { ...query, ...fromEnd, ...(!cursor && { limit: end }) } : query;
  return useQuery({
    queryKey: [...key, asked, cursor],
    queryFn: async ({ signal }): Promise<ListRows<Row>> => {
      const response = await api.send(path, { query: { ...asked, cursor }, signal });
      const rows = (await response.json()) as Row[];
      const links = response.headers.get('Link') ?? '';
      const [next, prev] = [cursorOf('next', links), cursorOf('prev', links)];
      if (!isBackwards) return { rows, cursors: { next, prev } };
      return { rows: rows.toReversed(), cursors: { prev: next, next: prev } };
    },
    placeholderData: keepPreviousData,
  });
}

/** Finds a cursor in a `Link` field. The rest of the URL is ignored: it may have another base than this page. */
function cursorOf(relation: 'next' | 'prev', links: string): string | undefined {
  return new RegExp(`[?&]cursor=([\\w-]+)[^>]*>; rel="${relation}"`).exec(links)?.[1];
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
