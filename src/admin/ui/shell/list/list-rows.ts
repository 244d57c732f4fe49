import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import type { CountDto } from '../../../deleted-posts.controller.js';
import { jsonOf, type Query } from '../../api/api.js';
import { api, jsonQuery } from '../../api/client.js';
import type { QueryKey } from '../../api/keys.js';
import { usePlace } from './url-filters.js';

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

/** A page of a list while it is read. */
export type RowsQuery<Row> = Pick<
  UseQueryResult<ListRows<Row>>,
  'data' | 'error' | 'refetch' | 'isPlaceholderData'
>;

/**
 * Reads the page named by `cursor` in the URL; the previous page stays visible until then. New rows are rendered in slices
 * of time, so that hundreds of them do not block the browser.
 *
 * @param isNumbered whether the list takes an `offset`: without a cursor, the number of the first row names the page
 */
export function useListRows<Row>(
  key: QueryKey,
  path: string,
  query: Query,
  isNumbered = false,
): RowsQuery<Row> {
  const cursor = useSearchParams()[0].get('cursor') || undefined;
  const { start } = usePlace();
  const offset = isNumbered && cursor === undefined && start > 1 ? start - 1 : undefined;
  const {
    data: newest,
    error,
    refetch,
    isPlaceholderData,
  } = useQuery({
    queryKey: [...key, query, cursor, offset],
    queryFn: async ({ signal }): Promise<ListRows<Row>> => {
      const response = await api.send(path, { query: { ...query, cursor, offset }, signal });
      const rows = await jsonOf<Row[]>(response);
      const links = response.headers.get('Link') ?? '';
      return { rows, cursors: { next: cursorOf('next', links), prev: cursorOf('prev', links) } };
    },
    placeholderData: keepPreviousData,
  });
  const data = useDeferredValue(newest);
  return { data, error, refetch, isPlaceholderData: isPlaceholderData || data !== newest };
}

/** The most rows that the service sends at once. */
const MAX_LIMIT = 1_000;

/** Reads the ids of all rows of a list, from the page that a cursor names: each page names the next one. */
export async function readIds(path: string, query: Query, cursor?: string): Promise<number[]> {
  const response = await api.send(path, { query: { ...query, limit: MAX_LIMIT, cursor } });
  const rows = await jsonOf<{ id: number }[]>(response);
  const ids = rows.map(({ id }) => id);
  const next = cursorOf('next', response.headers.get('Link') ?? '');
  return next === undefined ? ids : [...ids, ...(await readIds(path, query, next))];
}

/** Finds a cursor in a `Link` field. The rest of the URL is ignored: it may have another base than this page. */
function cursorOf(relation: 'next' | 'prev', links: string): string | undefined {
  return new RegExp(`[?&]cursor=([\\w-]+)[^>]*>; rel="${relation}"`).exec(links)?.[1];
}

/** Counts the rows of a list in a separate request, so that rows do not wait for it. */
export function useCount(key: QueryKey, path: string, query: Query): number | undefined {
  return useQuery(jsonQuery<CountDto>([...key, 'count', query], `${path}count/`, query)).data?.count;
}
