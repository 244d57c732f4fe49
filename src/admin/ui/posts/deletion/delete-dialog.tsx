import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { deletePost, readPost } from '../../api/post-requests.js';
import { POSTS_PATH, type PostWithEtag } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { ConfirmDialog } from '../../shell/dialogs.js';
import { runBulk } from '../../shell/list/bulk.js';
import { notify } from '../../shell/notices.js';
import { quoted } from '../../texts/texts.js';

export interface DeleteDialogProps {
  readonly post: PostWithEtag;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Confirms the deletion of a post, and asks again when the post changed after it was opened. */
export function DeleteDialog({ post, onClose, onDeleted }: DeleteDialogProps): ReactNode {
  const [known, setKnown] = useState(post);
  const isChanged = known.etag !== post.etag;

  const undo = { label: 'Undo', run: () => void runBulk('restorations', { ids: [post.id] }) };
  const confirm = async (): Promise<void | false> => {
    try {
      await deletePost(post.id, known.etag);
      notify(`${quoted(known.title)} was deleted.`, { action: undo });
    } catch (error) {
      if (hasStatus(error, 412)) {
        setKnown(await readPost(post.id));
        return false;
      }
      if (!hasStatus(error, 404)) throw error;
      notify('This post was deleted already.');
    }
    void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    return onDeleted();
  };

  return (
    <ConfirmDialog
      isDangerous
      title="Delete this post?"
      action={isChanged ? 'Delete anyway' : 'Delete'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isChanged && (
        <Alert severity="warning" role="alert">
          This post was changed after you opened it. Delete it anyway?
        </Alert>
      )}
      <Typography>{`${quoted(known.title)} will be deleted. It can be restored afterwards.`}</Typography>
    </ConfirmDialog>
  );
}
