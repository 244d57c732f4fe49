import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { deletePost, readPost } from '../../api/post-requests.js';
import { POSTS_PATH, type PostWithEtag } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { ConfirmDialog } from '../../shell/dialogs.js';
import { notify } from '../../shell/notices.js';
import { t } from '../../texts/texts.js';
import { undoDeletion } from './undo-deletion.js';

export interface DeleteDialogProps {
  readonly post: PostWithEtag;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Confirms the deletion of a post, and asks again when the post changed after it was opened. */
export function DeleteDialog({ post, onClose, onDeleted }: DeleteDialogProps): ReactNode {
  const [known, setKnown] = useState(post);
  const isChanged = known.etag !== post.etag;

  const confirm = async (): Promise<void | false> => {
    try {
      await deletePost(post.id, known.etag);
      notify(t('deletion.deleted', { title: known.title }), { action: undoDeletion([post.id]) });
    } catch (error) {
      if (hasStatus(error, 412)) {
        setKnown(await readPost(post.id));
        return false;
      }
      if (!hasStatus(error, 404)) throw error;
      notify(t('deletion.gone'));
    }
    void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    return onDeleted();
  };

  return (
    <ConfirmDialog
      isDangerous
      title={t('deletion.title')}
      action={t(isChanged ? 'deletion.anyway' : 'deletion.delete')}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isChanged && (
        <Alert severity="warning" role="alert">
          {t('deletion.changed')}
        </Alert>
      )}
      <Typography>{t('deletion.text', { title: known.title })}</Typography>
    </ConfirmDialog>
  );
}
