import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import Box from '@mui/material/Box';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasStatus } from '../../api/problem.js';
import { numberText } from '../../texts/numbers.js';
import { t } from '../../texts/texts.js';
import { Failure } from '../failure.js';
import { Empty, Loading } from '../loaded.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { type FilterField, Filters } from './filters.js';
import type { ListPage } from './list-page.js';
import { Pages, type PagesProps, useStart } from './pages.js';
import type { UrlFilters } from './url-filters.js';

export interface ListProps<Row, Name extends string> extends Omit<DataTableProps<Row>, 'rows' | 'isStale'> {
  readonly query: Pick<
    UseQueryResult<ListPage<Row>>,
    'data' | 'error' | 'refetch' | 'isFetching' | 'isPlaceholderData'
  >;
  readonly fields: readonly FilterField<Name>[];
  readonly filters: UrlFilters<Name>;
  /** The text for an empty list without filters, and an action. */
  readonly empty: string;
  readonly emptyAction?: ReactNode;
  /** The page sizes, and the total count if it is known. */
  readonly paging?: Omit<PagesProps, 'cursors' | 'shown'> | undefined;
  readonly isCounted?: boolean;
  /** Shown beside the filters. */
  readonly tools?: ReactNode;
  /** Additional filters, collapsed together with the filters. */
  readonly narrowing?: ReactNode;
  /** Shown between the filters and the table. */
  readonly children?: ReactNode;
}

/** The layout of every list: filters, count, rows and pagination. */
export function List<Row, Name extends string>(props: ListProps<Row, Name>): ReactNode {
  const {
    query,
    fields,
    filters,
    empty,
    emptyAction,
    paging,
    isCounted,
    tools,
    narrowing,
    children,
    ...table
  } = props;
  const { data, error, refetch, isFetching, isPlaceholderData } = query;
  const rows = data?.rows ?? [];
  const start = useStart();
  const isLost = hasStatus(error, 400) && error.errors.some(({ parameter }) => parameter === 'cursor');
  return (
    <>
      <Filters fields={fields} filters={filters} below={narrowing}>
        {tools}
      </Filters>
      {children}
      <Typography variant="body2" role="status" sx={{ color: 'text.secondary', minHeight: 24, mb: 0.5 }}>
        {data && rangeText(start, rows.length, isCounted ? paging?.count : endOf(start, data), isCounted)}
      </Typography>
      <Box sx={{ height: 4 }}>{isFetching && data && <LinearProgress aria-hidden />}</Box>
      {error !== null && (
        <Failure
          error={isLost ? new Error(t('lists.badCursor')) : error}
          retry={isLost ? () => filters.apply(filters.values) : () => void refetch()}
          {...(isLost && { retryLabel: t('lists.pages.first') })}
        />
      )}
      {data === undefined && error === null && <Loading />}
      {data && error === null && rows.length === 0 && !isPlaceholderData && (
        <Empty
          action={
            filters.isFiltered ? (
              <Button variant="outlined" onClick={filters.clear}>
                {t('lists.filters.clear')}
              </Button>
            ) : (
              emptyAction
            )
          }
        >
          {filters.isFiltered ? t('lists.noMatch') : empty}
        </Empty>
      )}
      {rows.length > 0 && error === null && <DataTable {...table} rows={rows} isStale={isPlaceholderData} />}
      {data && paging && <Pages {...paging} cursors={data.cursors} shown={rows.length} />}
    </>
  );
}

/** Returns the total count if this is the last page. */
function endOf<Row>(start: number, { rows, cursors }: ListPage<Row>): number | undefined {
  return cursors.next === undefined ? start + rows.length - 1 : undefined;
}

/** Formats the range: `26–50 of 25,002`, or `26–50` while the total is unknown. */
function rangeText(start: number, shown: number, count: number | undefined, isCounted = false): string {
  const range = shown > 1 ? `${numberText(start)}–${numberText(start + shown - 1)}` : numberText(start);
  if (count !== undefined) return shown === 0 ? '' : t('lists.rangeOf', { range, count: numberText(count) });
  return isCounted ? t('lists.counting', { range }) : range;
}
