import type { ReactNode } from 'react';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';

export interface PurgeDialogProps {
  readonly posts: BulkSelection;
  readonly count: number;
  /** The title of a single post. */
  readonly title?: string | undefined;
  readonly close: () => void;
  readonly onStart: () => void;
}

/** Deletes posts for good, after a confirmation. For several posts, the user must type their number. */
export function PurgeDialog({ posts, count, title, close, onStart }: PurgeDialogProps): ReactNode {
  const text =
    count === 1
      ? `${title === undefined ? 'The post' : quoted(title)} and its whole history will be gone and cannot be restored. The change log keeps that it was deleted, without its content.`
      : `The ${numberText(count)} posts and their whole histories will be gone and cannot be restored. The change log keeps that they were deleted, without their content.`;
  return (
    <ConfirmDialog
      title={plural(count, 'Delete this post for good?', `Delete ${numberText(count)} posts for good?`)}
      text={text}
      action="Delete for good"
      isDangerous
      count={count === 1 ? undefined : count}
      run={() => {
        onStart();
        void runBulk('purges', posts);
      }}
      close={close}
    />
  );
}
