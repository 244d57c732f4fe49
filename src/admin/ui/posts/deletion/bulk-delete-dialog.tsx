import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../shell/dialogs.js';
import { runBulk } from '../../shell/list/bulk.js';
import type { Selection } from '../../shell/list/selection.js';
import { numberText } from '../../texts/numbers.js';
import { plural } from '../../texts/texts.js';
import type { PostFilter } from '../list/list-view.js';

export interface BulkDeleteDialogProps {
  readonly selection: Selection;
  readonly filter: PostFilter;
  /** The number of posts that match the filter. The service deletes all matches only if it is still correct. */
  readonly count: number;
  readonly onClose: () => void;
  readonly onStart: () => void;
}

/** Confirms a bulk deletion. To delete all matching posts, the user must type their number. */
export function BulkDeleteDialog(props: BulkDeleteDialogProps): ReactNode {
  const { selection, filter, count: matching, onClose, onStart } = props;
  const isAll = selection.kind === 'all';
  const count = isAll ? matching : selection.ids.size;
  const posts = plural(count, '1 post', `${numberText(count)} posts`);
  return (
    <ConfirmDialog
      isDangerous
      title={`Delete ${posts}?`}
      action={`Delete ${posts}`}
      count={isAll ? count : undefined}
      onClose={onClose}
      onConfirm={() => {
        onStart();
        void runBulk('bulk-deletions', isAll ? { filter, count } : { ids: [...selection.ids] });
      }}
    >
      <Typography>{textFor(selection, filter)}</Typography>
    </ConfirmDialog>
  );
}

function textFor({ kind }: Selection, filter: PostFilter): string {
  if (kind === 'some') return 'The selected posts will be deleted. They can be restored afterwards.';
  return Object.keys(filter).length > 0
    ? 'Every post that matches the list’s search and dates will be deleted, on all pages. They can be restored afterwards.'
    : 'Every post of this service will be deleted. They can be restored afterwards.';
}
