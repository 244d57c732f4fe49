import { Box, Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { Query } from '../../api/api.js';
import { SelectField } from '../fields.js';
import type { PageCursors } from './list-rows.js';
import { PLACE, useChangeParameters } from './url-filters.js';

export interface PagesProps {
  /** The number of the page's first row, from 1. */
  readonly start: number;
  readonly cursors: PageCursors;
  /** The number of rows on the page, and the page size. */
  readonly shown: number;
  readonly limit: number;
  readonly sizes?: { readonly all: readonly number[]; readonly onChange: (size: number) => void };
}

/** Returns the place in the list that the URL names: the number of the first row, from 1, and whether it is the first page. */
export function usePlace(): { readonly start: number; readonly isFirst: boolean } {
  const [search] = useSearchParams();
  const start = Number(search.get('start') ?? 1);
  return {
    start: Number.isSafeInteger(start) && start > 0 ? start : 1,
    isFirst: !PLACE.some((name) => search.has(name)),
  };
}

export function Pages({ start, cursors, shown, limit, sizes }: PagesProps): ReactNode {
  const { prev, next } = cursors;
  const change = useChangeParameters();
  const { isFirst } = usePlace();
  if (isFirst && next === undefined && !sizes) return null;

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
      {button('First page', isFirst ? undefined : {})}
      {button(
        'Previous',
        prev === undefined ? undefined : { cursor: prev, start: Math.max(1, start - limit) },
      )}
      {button('Next', next === undefined ? undefined : { cursor: next, start: start + shown })}
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
