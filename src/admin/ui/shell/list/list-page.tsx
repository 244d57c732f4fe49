import { Button, Typography } from '@mui/material';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { faultsByField, isAboutFields } from '../../api/problem.js';
import { numberText } from '../../texts/texts.js';
import { useAnnouncement } from '../announcements.js';
import { Failure } from '../failure.js';
import { Empty, Loading } from '../loaded.js';
import { Page, type PageProps } from '../page.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { Filters } from './filters.js';
import type { ListRows, RowsQuery } from './list-rows.js';
import { Pages, type PagesProps } from './pages.js';
import { type Selecting, useSelection } from './selection.js';
import { type UrlFilters, useChangeParameters, usePlace } from './url-filters.js';

export interface ListPageProps<Row extends { readonly id: number }, Name extends string>
  extends
    Pick<PageProps, 'title' | 'about' | 'actions'>,
    Omit<DataTableProps<Row>, 'rows' | 'isStale' | 'keyOf' | 'selection'> {
  readonly query: RowsQuery<Row>;
  readonly filters: UrlFilters<Name>;
  /** The text for an empty list without filters, and an action. */
  readonly empty: string;
  readonly emptyAction?: ReactNode;
  readonly paging: Omit<PagesProps, 'start' | 'cursors' | 'shown' | 'count'>;
  /** Whether the list is counted, and the total count once it is known. */
  readonly isCounted?: boolean;
  readonly count?: number | undefined;
  /** Shown between the filters and the table. */
  readonly notice?: ReactNode;
  readonly selecting?: Selecting<Row> | undefined;
}

/** The page of every list: heading, filters, count, rows and pagination. */
export function ListPage<Row extends { readonly id: number }, Name extends string>(
  props: ListPageProps<Row, Name>,
): ReactNode {
  const { title, actions, about, query, filters, empty, emptyAction, paging, isCounted, count } = props;
  const { label, columns, hasFixedWidths, sort, selecting, notice } = props;
  const { data, error, refetch, isPlaceholderData } = query;
  const rows = data?.rows ?? [];
  const { start, isFirst } = usePlace();
  const isEnd = data?.cursors.next === undefined;
  const first = firstRow(start, rows.length, count, isEnd);
  const { table: selection, bar } = useSelection(rows, count, selecting);
  const names = filters.fields.map(({ name }) => name);
  const isLost = isAboutFields(error, ['cursor', 'offset']);
  const change = useChangeParameters();
  const goToFirst = (): void => change({});
  const isEmptied =
    data !== undefined && !isPlaceholderData && rows.length === 0 && !isFirst && error === null;
  const before = data?.cursors.prev;
  const showPageBefore = useEffectEvent(() => {
    const place = before === undefined ? {} : { cursor: before, start: Math.max(1, start - paging.limit) };
    change(place, { replace: true });
  });
  // The rows of this page are gone.
  useEffect(() => {
    if (isEmptied) showPageBefore();
  }, [isEmptied]);
  const range = data && rangeText(first, rows.length, isCounted ? count : endOf(first, data), isCounted);
  // It is shown without "counting" in a moment.
  useAnnouncement(isCounted && count === undefined ? undefined : range);
  return (
    <Page {...{ title, about, actions }}>
      <Filters filters={filters} faults={faultsByField(error, names)} />
      {notice}
      <Typography variant="body2" sx={{ color: 'text.secondary', minHeight: 24, mb: 0.5 }}>
        {range}
      </Typography>
      {error !== null && !isAboutFields(error, names) && (
        <Failure
          error={isLost ? new Error('This page of the list is no longer there.') : error}
          retry={isLost ? goToFirst : () => void refetch()}
          {...(isLost && { retryLabel: 'First page' })}
        />
      )}
      {data === undefined && error === null && <Loading />}
      {data && error === null && rows.length === 0 && !isPlaceholderData && !isEmptied && (
        <NoRows filters={filters} empty={empty} emptyAction={emptyAction} />
      )}
      {rows.length > 0 && error === null && (
        <DataTable
          {...{ label, columns, hasFixedWidths, sort, selection, rows }}
          keyOf={({ id }) => id}
          isStale={isPlaceholderData}
        />
      )}
      {data && rows.length > 0 && (
        <Pages {...paging} start={first} cursors={data.cursors} shown={rows.length} count={count} />
      )}
      {bar}
    </Page>
  );
}

/** Says why a list has no rows: the filters match none, or it has none. */
function NoRows(props: Pick<ListPageProps<never, string>, 'filters' | 'empty' | 'emptyAction'>): ReactNode {
  const { filters, empty, emptyAction } = props;
  if (!filters.isFiltered) return <Empty action={emptyAction}>{empty}</Empty>;
  const clear = (
    <Button variant="outlined" onClick={filters.clear}>
      Clear filters
    </Button>
  );
  return <Empty action={clear}>Nothing matches these filters.</Empty>;
}

/** The number of the first row. That of the URL is too high after a deletion of rows before it. */
function firstRow(start: number, shown: number, count: number | undefined, isEnd: boolean): number {
  if (count === undefined) return start;
  const isTooHigh = start + shown - 1 > count;
  return isEnd || isTooHigh ? Math.max(1, count - shown + 1) : start;
}

/** Returns the total count if this is the last page. */
function endOf<Row>(start: number, { rows, cursors }: ListRows<Row>): number | undefined {
  return cursors.next === undefined ? start + rows.length - 1 : undefined;
}

/** Formats the range: `26–50 of 25,002`, or `26–50` while the total is unknown. */
function rangeText(start: number, shown: number, count: number | undefined, isCounted = false): string {
  const range = shown > 1 ? `${numberText(start)}–${numberText(start + shown - 1)}` : numberText(start);
  if (shown === 0) return '';
  if (count === undefined) return isCounted ? `${range}, counting…` : range;
  // After rows were restored or deleted, the new count can be here before the new rows.
  const isCountOfTheseRows = start + shown - 1 <= count;
  return isCountOfTheseRows ? `${range} of ${numberText(count)}` : '';
}
