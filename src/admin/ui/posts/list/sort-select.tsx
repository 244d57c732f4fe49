import TextField from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { t } from '../../texts/texts.js';
import type { ListPartProps } from './list-filters.js';
import { type Ordering, ORDERINGS, orderingOf, sortOf } from './list-state.js';

/** Sorts where there is no column to press on. */
export function SortSelect({ state, change }: ListPartProps): ReactNode {
  return (
    <TextField
      select
      label={t('posts.list.sort')}
      value={orderingOf(state)}
      onChange={({ target }) => change({ sort: sortOf(target.value as Ordering) })}
      slotProps={{ select: { native: true } }}
    >
      {ORDERINGS.map((ordering) => (
        <option key={ordering} value={ordering}>
          {t(`posts.list.sorts.${ordering}`)}
        </option>
      ))}
    </TextField>
  );
}
