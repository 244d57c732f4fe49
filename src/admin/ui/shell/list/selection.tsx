import { Button, Paper, Typography } from '@mui/material';
import { type MouseEvent, type ReactNode, useState } from 'react';
import type { Query } from '../../api/api.js';
import { counted, numberText } from '../../texts/texts.js';
import { LOW_WINDOW } from '../../theme/theme.js';
import { useAnnouncement } from '../announcements.js';
import { failureText } from '../failure.js';
import { notifier, notify } from '../notices.js';
import type { BulkSelection } from './bulk.js';
import type { RowSelection } from './data-table.js';

export interface Selecting<Row> {
  /** The filter of the list. */
  readonly filter: Query;
  readonly nameOf: (row: Row) => string;
  /** Reads the ids of all rows that match the filter. */
  readonly readIds: () => Promise<readonly number[]>;
  readonly render: (posts: BulkSelection, count: number, clear: () => void) => ReactNode;
}

interface Kept {
  /** The filter for which it was selected. */
  readonly key: string;
  readonly ids: ReadonlySet<number> | 'all';
  /** Rows that were taken away from all, while the ids of the others are read. */
  readonly without: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

/** The most ids that a bulk change or an export takes. */
const MAX_IDS = 20_000;

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
  const [kept, keep] = useState<Kept>({ key, ids: NONE, without: NONE });
  const { ids, without } = kept.key === key ? kept : { ids: NONE, without: NONE };
  const isAll = ids === 'all';
  const count = isAll ? (total ?? 0) - without.size : ids.size;
  const text =
    isAll && without.size === 0
      ? `All ${numberText(count)} matching posts are selected`
      : `${counted(count, 'post')} selected`;
  const isShown = isAll || count > 0;
  useAnnouncement(selecting && isShown && text);
  if (!selecting) return { table: undefined, bar: null };

  const select = (next: Kept['ids']): void => keep({ key, ids: next, without: NONE });
  const isSelected = ({ id }: Row): boolean => (isAll ? !without.has(id) : ids.has(id));
  const changed = (set: ReadonlySet<number>, some: readonly Row[], isOn: boolean): Set<number> => {
    const next = new Set(set);
    for (const { id } of some) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    return next;
  };
  /** Leaves all others: from now on, the selection is a list of ids. */
  const takeAway = async (some: readonly Row[]): Promise<void> => {
    const isReading = without.size > 0;
    const tell = notifier();
    keep({ key, ids, without: changed(without, some, true) });
    if (isReading) return;
    try {
      const all = await selecting.readIds();
      keep((last) =>
        last.key === key && last.ids === 'all'
          ? { key, ids: new Set(all.filter((id) => !last.without.has(id))), without: NONE }
          : last,
      );
    } catch (error) {
      keep((last) => (last.key === key && last.ids === 'all' ? { ...last, without: NONE } : last));
      tell(failureText(error), { type: 'error' });
    }
  };
  const onSelect = (some: readonly Row[], isOn: boolean): void => {
    if (!isAll) select(changed(ids, some, isOn));
    else if (isOn) keep({ key, ids, without: changed(without, some, false) });
    else if (count <= MAX_IDS) void takeAway(some);
    else {
      select(changed(new Set(rows.map(({ id }) => id)), some, false));
      const most = numberText(MAX_IDS);
      const why = `More than ${most} posts can only be selected all together. Those of this page are selected now.`;
      notify(why, { type: 'warning' });
    }
  };
  const isWholePage = rows.length > 0 && rows.every(isSelected);
  const clear = (): void => select(NONE);
  const selectAll = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // This button goes: the focus stays in the bar.
    (currentTarget.nextElementSibling as HTMLElement | null)?.focus();
    select('all');
  };
  const posts = isAll ? { filter: selecting.filter, count } : { ids: [...ids] };
  const bar = isShown && (
    <Paper square sx={STICKY}>
      <Typography variant="body2" sx={{ fontWeight: 600, mr: 'auto' }}>
        {text}
      </Typography>
      {!isAll && isWholePage && total !== undefined && total > count && (
        <Button size="small" onClick={selectAll}>
          {`Select all ${numberText(total)} matching posts`}
        </Button>
      )}
      <Button size="small" onClick={clear}>
        Clear selection
      </Button>
      {without.size === 0 && selecting.render(posts, count, clear)}
    </Paper>
  );
  return {
    table: { isSelected, onSelect, labelOf: (row) => `Select ${selecting.nameOf(row)}` },
    bar,
  };
}

/** A row of buttons, sticky at the bottom of the window while its container is visible. */
export const STICKY = {
  position: 'sticky',
  [LOW_WINDOW]: { position: 'static' },
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
