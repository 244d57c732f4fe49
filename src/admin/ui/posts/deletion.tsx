import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { KEYS } from '../api/keys.js';
import { deletePost, readPost } from '../api/post-requests.js';
import type { PostWithEtag } from '../api/posts.js';
import { hasStatus } from '../api/problem.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { type BulkSelection, runBulk } from '../shell/list/bulk.js';
import { notify } from '../shell/notices.js';
import { counted, numberText, quoted } from '../texts/texts.js';

export interface DeleteDialogProps {
  readonly post: Pick<PostWithEtag, 'id' | 'title' | 'etag'>;
  readonly onDeleted: () => void;
}

/** Deletes a post after a confirmation, and asks again when the post has changed since it was read. */
export function DeleteDialog({ post: read, onDeleted }: DeleteDialogProps): ReactNode {
  const [post, setPost] = useState(read);
  const isChanged = post !== read;
  const undo = { label: 'Undo', run: () => void runBulk('restorations', { ids: [post.id] }) };
  const run = async (): Promise<boolean> => {
    try {
      await deletePost(post.id, post.etag);
      notify(`${quoted(post.title)} was deleted.`, { action: undo });
    } catch (error) {
      if (hasStatus(error, 412)) {
        setPost(await readPost(post.id));
        return false;
      }
      if (!hasStatus(error, 404)) throw error;
      notify('This post was deleted already.');
    }
    void queryClient.invalidateQueries({ queryKey: KEYS.posts });
    onDeleted();
    return true;
  };
  return (
    <ConfirmDialog
      title="Delete this post?"
      text={`${quoted(post.title)} will be deleted. It can be restored afterwards.`}
      warning={isChanged ? 'This post was changed after you opened it. Delete it anyway?' : undefined}
      action={isChanged ? 'Delete anyway' : 'Delete'}
      isDangerous
      run={run}
    />
  );
}

export interface BulkDialogProps {
  readonly posts: BulkSelection;
  readonly count: number;
  /** The title of a single post. */
  readonly title?: string | undefined;
  /** Called before the first post is changed. */
  readonly onStart: () => void;
}

/** Deletes selected posts after a confirmation. To delete all matching posts, the user must type their number. */
export function DeleteManyDialog({ posts, count, onStart }: BulkDialogProps): ReactNode {
  const what = counted(count, 'post');
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      text={`${scopeOf(posts)} They can be restored afterwards.`}
      action={`Delete ${what}`}
      isDangerous
      count={'filter' in posts ? count : undefined}
      run={() => {
        onStart();
        void runBulk('bulk-deletions', posts);
      }}
    />
  );
}

function scopeOf(posts: BulkSelection): string {
  if (!('filter' in posts)) return 'The selected posts will be deleted.';
  return Object.keys(posts.filter).length > 0
    ? 'Every post that matches the list’s search and dates will be deleted, on all pages.'
    : 'Every post of this service will be deleted.';
}

/** Deletes posts for good, after a confirmation. For several posts, the user must type their number. */
export function PurgeDialog({ posts, count, title, onStart }: BulkDialogProps): ReactNode {
  const one = title === undefined ? 'The post' : quoted(title);
  const what = count === 1 ? one : `The ${numberText(count)} posts`;
  return (
    <ConfirmDialog
      title={count === 1 ? 'Delete this post for good?' : `Delete ${numberText(count)} posts for good?`}
      text={`${what} will be gone, with all versions, and cannot be restored. The change log keeps the deletion, without the content.`}
      action="Delete for good"
      isDangerous
      count={count === 1 ? undefined : count}
      run={() => {
        onStart();
        void runBulk('purges', posts);
      }}
    />
  );
}
