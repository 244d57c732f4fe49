import { Box, Button } from '@mui/material';
import { Fragment, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { numberText } from '../../texts/texts.js';
import type { Query } from '../../api/api.js';
import { SelectField } from '../fields.js';
import type { PageCursors } from './list-rows.js';
import { lastPage, pageNumbers } from './page-numbers.js';
import { PLACE, useChangeParameters, usePlace } from './url-filters.js';

export interface PagesProps {
  /** The number of the page's first row, from 1. */
  readonly start: number;
  readonly cursors: PageCursors;
  /** The number of rows on the page, and the page size. */
  readonly shown: number;
  readonly limit: number;
  /** The number of all rows, once it is known. */
  readonly count?: number | undefined;
  /** Whether the pages have numbers: the list takes an `offset`. */
  readonly isNumbered?: boolean;
  readonly sizes?: { readonly all: readonly number[]; readonly onChange: (size: number) => void };
}

export function Pages(props: PagesProps): ReactNode {
  const { start, cursors, shown, limit, count, isNumbered = false, sizes } = props;
  const { prev, next } = cursors;
  const change = useChangeParameters();
  const { isFirst } = usePlace();
  const isOnly = isFirst && next === undefined;
  if (isOnly && !sizes) return null;

  const hasNumbers = isNumbered && count !== undefined;

  const button = (label: string, place: Query | undefined): ReactNode => (
    <Button
      variant="outlined"
      color="inherit"
      // Stays focusable when there is no such page: a disabled button would lose the focus on the last page.
      aria-disabled={place === undefined}
      onClick={() => {
        if (place === undefined) return;
        change(place);
        window.scrollTo({ top: 0 });
      }}
      sx={{
        borderColor: 'divider',
        ...(place === undefined && { color: 'text.disabled', cursor: 'default' }),
      }}
    >
      {label}
    </Button>
  );
  return (
    <Box
      component="nav"
      aria-label="Pages"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 2 }}
    >
      {!isOnly && (
        <>
          {!hasNumbers && button('First page', isFirst ? undefined : {})}
          {button(
            'Previous',
            prev === undefined ? undefined : { cursor: prev, start: Math.max(1, start - limit) },
          )}
          {hasNumbers && <PageNumbers start={start} limit={limit} count={count} />}
          {button('Next', next === undefined ? undefined : { cursor: next, start: start + shown })}
        </>
      )}
      {sizes && (
        <SelectField
          label="Rows per page"
          value={limit}
          options={sizes.all.map((size) => [size, String(size)])}
          onChange={(size) => sizes.onChange(Number(size))}
          sx={{ width: 136, ml: 'auto' }}
        />
      )}
    </Box>
  );
}

type PageNumbersProps = Readonly<Record<'start' | 'limit' | 'count', number>>;

/** Links to pages, as far as the service jumps to them. */
function PageNumbers({ start, limit, count }: PageNumbersProps): ReactNode {
  const [search] = useSearchParams();
  const current = Math.ceil(start / limit);
  const numbers = pageNumbers(current, lastPage(count, limit));
  const searchOf = (page: number): string => {
    const query = new URLSearchParams(search);
    for (const name of PLACE) query.delete(name);
    if (page > 1) query.set('start', String((page - 1) * limit + 1));
    return `?${query.toString()}`;
  };
  return numbers.map((page, index) => (
    <Fragment key={page}>
      {page - (numbers[index - 1] ?? page) > 1 && <span>…</span>}
      <Button
        component={Link}
        to={{ search: searchOf(page) }}
        variant={page === current ? 'outlined' : 'text'}
        color="inherit"
        aria-label={`Page ${numberText(page)}`}
        aria-current={page === current ? 'page' : undefined}
        onClick={() => window.scrollTo({ top: 0 })}
        sx={{ minWidth: 40, fontVariantNumeric: 'tabular-nums' }}
      >
        {numberText(page)}
      </Button>
    </Fragment>
  ));
}
