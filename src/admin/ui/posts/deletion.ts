import { queryClient } from '../api/client.js';
import { deletePost, readPost } from '../api/post-requests.js';
import { POST_LIST, type PostWithEtag } from '../api/posts.js';
import { hasStatus } from '../api/problem.js';
import { confirm } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { notify } from '../shell/notices.js';
import { numberText } from '../texts/numbers.js';
import { plural, quoted } from '../texts/texts.js';

/** Deletes a post after a confirmation, and asks again when the post has changed since it was read. */
export function askToDelete(post: PostWithEtag, onDeleted: () => void, warning?: string): void {
  const undo = { label: 'Undo', run: () => void runBulk('restorations', { ids: [post.id] }) };
  confirm({
    title: 'Delete this post?',
    text: `${quoted(post.title)} will be deleted. It can be restored afterwards.`,
    warning,
    action: warning === undefined ? 'Delete' : 'Delete anyway',
    isDangerous: true,
    run: async () => {
      try {
        await deletePost(post.id, post.etag);
        notify(`${quoted(post.title)} was deleted.`, { action: undo });
      } catch (error) {
        if (hasStatus(error, 412)) {
          const changed = await readPost(post.id);
          const text = 'This post was changed after you opened it. Delete it anyway?';
          return askToDelete(changed, onDeleted, text);
        }
        if (!hasStatus(error, 404)) throw error;
        notify('This post was deleted already.');
      }
      void queryClient.invalidateQueries({ queryKey: [POST_LIST] });
      return onDeleted();
    },
  });
}

/** Deletes selected posts after a confirmation. To delete all matching posts, the user must type their number. */
export function askToDeleteMany(posts: BulkSelection, count: number, onStart: () => void): void {
  const what = plural(count, '1 post', `${numberText(count)} posts`);
  confirm({
    title: `Delete ${what}?`,
    text: `${scopeOf(posts)} They can be restored afterwards.`,
    action: `Delete ${what}`,
    isDangerous: true,
    count: 'filter' in posts ? count : undefined,
    run: () => {
      onStart();
      void runBulk('bulk-deletions', posts);
    },
  });
}

function scopeOf(posts: BulkSelection): string {
  if (!('filter' in posts)) return 'The selected posts will be deleted.';
  return Object.keys(posts.filter).length > 0
    ? 'Every post that matches the list’s search and dates will be deleted, on all pages.'
    : 'Every post of this service will be deleted.';
}
