import { mdiChevronLeft, mdiChevronRight, mdiPageFirst, mdiPageLast } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { SelectField } from '../fields.js';
import { Icon } from '../icon.js';
import { useIsPhone } from '../page.js';
import type { PageCursors } from './list-rows.js';
import { PLACE, useChangeParameters } from './url-filters.js';

export interface PagesProps {
  /** The number of the page's first row, from 1. */
  readonly start: number;
  readonly cursors: PageCursors;
  /** The number of rows on the page, and the page size. */
  readonly shown: number;
  readonly limit: number;
  /** The total count, once known. Then the list has a "last page" button. */
  readonly count?: number | undefined;
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

type Place = Readonly<Partial<Record<(typeof PLACE)[number], string | number>>>;

export function Pages(props: PagesProps): ReactNode {
  const { start, shown, limit, count = 0, sizes } = props;
  const { prev, next } = props.cursors;
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const isPhone = useIsPhone();
  const { isFirst } = usePlace();
  if (isFirst && next === undefined && !sizes) return null;

  // A neighbouring page is read from the same end of the list as now.
  const end = search.get('end') ?? undefined;
  const ofLast = count % limit || limit;
  const button = (label: string, icon: ReactNode, place: Place | undefined): ReactNode => (
    <Button
      variant="outlined"
      color="inherit"
      aria-label={label}
      // Stays focusable when there is no such page: a disabled button would lose the focus on the last page.
      aria-disabled={place === undefined}
      onClick={() => {
        if (place === undefined) return;
        change(place);
        window.scrollTo({ top: 0 });
      }}
      startIcon={!isPhone && icon}
      sx={{
        borderColor: 'divider',
        minWidth: 44,
        ...(place === undefined && { color: 'text.disabled', cursor: 'default' }),
      }}
    >
      {isPhone ? icon : <span>{label}</span>}
    </Button>
  );
  return (
    <Box
      component="nav"
      aria-label="Pages"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 2 }}
    >
      {button('First page', <Icon path={mdiPageFirst} />, isFirst ? undefined : {})}
      {button(
        'Previous',
        <Icon path={mdiChevronLeft} />,
        prev === undefined ? undefined : { cursor: prev, start: Math.max(1, start - limit), end },
      )}
      {button(
        'Next',
        <Icon path={mdiChevronRight} />,
        next === undefined ? undefined : { cursor: next, start: start + shown, end },
      )}
      {count > 0 &&
        button(
          'Last page',
          <Icon path={mdiPageLast} />,
          next === undefined ? undefined : { end: ofLast, start: count - ofLast + 1 },
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
