import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.js';
import type { Action } from './change.js';

const COLOURS = {
  created: 'success',
  changed: 'info',
  deleted: 'error',
  restored: 'success',
  imported: 'success',
  found: 'default',
  purged: 'error',
} as const;

/** What was done, in a word; the colour only repeats it. */
export function ActionChip({ action }: { action: Action }): ReactNode {
  return <Chip size="small" variant="outlined" color={COLOURS[action]} label={t(`lists.action.${action}`)} />;
}
