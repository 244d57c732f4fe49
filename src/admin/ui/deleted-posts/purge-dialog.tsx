import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';

export interface PurgeDialogProps {
  readonly selection: BulkSelection;
  readonly count: number;
  /** The title, if it is a single post. */
  readonly title?: string | undefined;
  readonly onClose: () => void;
  readonly onPurged: () => void;
}

/** Confirms a purge. For several posts, the user must type their number. */
export function PurgeDialog({
  selection,
  count,
  title = '',
  onClose,
  onPurged,
}: PurgeDialogProps): ReactNode {
  return (
    <ConfirmDialog
      isDangerous
      count={count === 1 ? undefined : count}
      title={plural(count, 'Delete this post for good?', `Delete ${numberText(count)} posts for good?`)}
      action="Delete for good"
      onClose={onClose}
      onConfirm={() => {
        onPurged();
        void runBulk('purges', selection);
      }}
    >
      <Typography>
        {count === 1
          ? `${quoted(title)} and its whole history will be gone and cannot be restored. The change log keeps that it was deleted, without its content.`
          : `The ${numberText(count)} posts and their whole histories will be gone and cannot be restored. The change log keeps that they were deleted, without their content.`}
      </Typography>
    </ConfirmDialog>
  );
}
