import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { PageCursors } from '../../api/cursors.js';
import { SelectField } from '../fields.js';
import { FirstPageIcon, LastPageIcon, NextIcon, PreviousIcon } from '../icons.js';
import { useIsPhone } from '../page.js';
import { PLACE, useChangeParameters } from './url-filters.js';

export interface PagesProps {
  readonly cursors: PageCursors;
  /** The number of rows on the page, and the page size. */
  readonly shown: number;
  readonly limit: number;
  /** The total count, once known. Then the list has a "last page" button. */
  readonly count?: number | undefined;
  readonly sizes?: { readonly all: readonly number[]; readonly onChange: (size: number) => void };
}

/** Returns the number of the page's first row, from 1, from the URL. */
export function useStart(): number {
  const start = Number(useSearchParams()[0].get('start') ?? 1);
  return Number.isSafeInteger(start) && start > 0 ? start : 1;
}

/** The pagination buttons and the page size. */
export function Pages({ cursors, shown, limit, count, sizes }: PagesProps): ReactNode {
  const [search] = useSearchParams();
  const change = useChangeParameters();
  const start = useStart();
  const go = (place: Readonly<Partial<Record<(typeof PLACE)[number], string | number>>>): void => {
    change(place);
    window.scrollTo({ top: 0 });
  };
  /** Goes to a neighbouring page, read from the same end of the list as now. */
  const step = (cursor: string | undefined, first: number): (() => void) | undefined => {
    if (cursor === undefined) return undefined;
    const end = search.get('end');
    return () => go({ cursor, start: Math.max(1, first), ...(end !== null && { end }) });
  };
  const isFirst = !PLACE.some((name) => search.has(name));
  const end = count === undefined ? 0 : count % limit || limit;
  const isLast = cursors.next === undefined;
  if (isFirst && isLast && !sizes) return null;
  return (
    <Box
      component="nav"
      aria-label="Pages"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 2 }}
    >
      <PageButton label="first" icon={<FirstPageIcon />} go={isFirst ? undefined : () => go({})} />
      <PageButton label="previous" icon={<PreviousIcon />} go={step(cursors.prev, start - limit)} />
      <PageButton label="next" endIcon={<NextIcon />} go={step(cursors.next, start + shown)} />
      {count !== undefined && (
        <PageButton
          label="last"
          endIcon={<LastPageIcon />}
          go={isLast || !count ? undefined : () => go({ end, start: count - end + 1 })}
        />
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

interface PageButtonProps {
  readonly label: 'first' | 'previous' | 'next' | 'last';
  readonly icon?: ReactNode;
  readonly endIcon?: ReactNode;
  /** Undefined when there is no such page. */
  readonly go: (() => void) | undefined;
}

const LABELS = { first: 'First page', previous: 'Previous', next: 'Next', last: 'Last page' } as const;

/** Stays focusable when there is no such page: a disabled button would lose the focus on the last page. */
function PageButton({ label, icon, endIcon, go }: PageButtonProps): ReactNode {
  const isPhone = useIsPhone();
  const text = LABELS[label];
  return (
    <Button
      variant="outlined"
      color="inherit"
      aria-label={text}
      aria-disabled={go === undefined}
      onClick={go}
      {...(!isPhone && { startIcon: icon, endIcon })}
      sx={{
        borderColor: 'divider',
        minWidth: 44,
        ...(go === undefined && { color: 'text.disabled', cursor: 'default' }),
      }}
    >
      {isPhone ? (icon ?? endIcon) : text}
    </Button>
  );
}
