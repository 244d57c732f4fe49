import { Button, Paper, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import type { Query } from '../../api/api.js';
import { counted, numberText } from '../../texts/texts.js';
import { HIDDEN } from '../../theme/theme.js';
import type { BulkSelection } from './bulk.js';
import type { RowSelection } from './data-table.js';

export interface Selecting<Row> {
  /** The filter of the list. */
  readonly filter: Query;
  readonly nameOf: (row: Row) => string;
  readonly render: (posts: BulkSelection, count: number, clear: () => void) => ReactNode;
}

const NONE: ReadonlySet<number> = new Set();

/**
 * The selection of a list: single posts, also of other pages, or all that match the filter. Another filter clears it, so
 * that no invisible post is deleted.
 *
 * @param total the number of all matches, once known
 */
export function useSelection<Row extends { readonly id: number }>(
  rows: readonly Row[],
  total: number | undefined,
  selecting: Selecting<Row> | undefined,
): { readonly table: RowSelection<Row> | undefined; readonly bar: ReactNode } {
  const key = JSON.stringify(selecting?.filter);
  const [kept, keep] = useState<{ key: string; ids: ReadonlySet<number> | 'all' }>({ key, ids: NONE });
  if (!selecting) return { table: undefined, bar: null };

  const ids = kept.key === key ? kept.ids : NONE;
  const select = (next: ReadonlySet<number> | 'all'): void => keep({ key, ids: next });
  const isSelected = ({ id }: Row): boolean => ids === 'all' || ids.has(id);
  const onSelect = (some: readonly Row[], isOn: boolean): void => {
    // Deselecting a row of all leaves the other rows of the page.
    const next = new Set(ids === 'all' ? rows.map(({ id }) => id) : ids);
    for (const { id } of some) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    select(next);
  };
  const count = ids === 'all' ? (total ?? 0) : ids.size;
  const isAll = ids === 'all';
  const isWholePage = rows.length > 0 && rows.every(isSelected);
  const clear = (): void => select(NONE);
  const text = isAll
    ? `All ${numberText(count)} matching posts are selected`
    : `${counted(count, 'post')} selected`;
  const isShown = isAll || count > 0;
  const bar = (
    <>
      <span role="status" style={HIDDEN}>
        {isShown && text}
      </span>
      {isShown && (
        <Paper square sx={STICKY}>
          <Typography variant="body2" aria-hidden sx={{ fontWeight: 600, mr: 'auto' }}>
            {text}
          </Typography>
          {isWholePage && total !== undefined && total > count && (
            <Button size="small" onClick={() => select('all')}>
              {`Select all ${numberText(total)} matching posts`}
            </Button>
          )}
          <Button size="small" onClick={clear}>
            Clear selection
          </Button>
          {selecting.render(isAll ? { filter: selecting.filter, count } : { ids: [...ids] }, count, clear)}
        </Paper>
      )}
    </>
  );
  return {
    table: { isSelected, onSelect, labelOf: (row) => `Select ${selecting.nameOf(row)}` },
    bar,
  };
}

/** A row of buttons, sticky at the bottom of the window while its container is visible. */
export const STICKY = {
  position: 'sticky',
  bottom: 0,
  zIndex: 2,
  mt: 2,
  mx: { xs: -2, md: 0 },
  px: 2,
  py: 1,
  display: 'flex',
  flexWrap: 'wrap',
  gap: 1,
  alignItems: 'center',
  borderTop: 1,
  borderColor: 'divider',
  boxShadow: 'none',
} as const;
