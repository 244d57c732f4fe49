import { confirm } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';

/**
 * Deletes posts for good, after a confirmation. For several posts, the user must type their number.
 *
 * @param title of the post, if it is a single one
 */
export function purge(posts: BulkSelection, count: number, title: string, onStart: () => void): void {
  const text =
    count === 1
      ? `${quoted(title)} and its whole history will be gone and cannot be restored. The change log keeps that it was deleted, without its content.`
      : `The ${numberText(count)} posts and their whole histories will be gone and cannot be restored. The change log keeps that they were deleted, without their content.`;
  confirm({
    title: plural(count, 'Delete this post for good?', `Delete ${numberText(count)} posts for good?`),
    text,
    action: 'Delete for good',
    isDangerous: true,
    count: count === 1 ? undefined : count,
    run: () => {
      onStart();
      void runBulk('purges', posts);
    },
  });
}
