import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../../api/client.js';
import { deletePost, readPost } from '../../api/post-requests.js';
import { POSTS_PATH, type PostWithEtag } from '../../api/posts.js';
import { hasStatus } from '../../api/problem.js';
import { TitledDialog } from '../../shell/dialogs.js';
import { Failure } from '../../shell/failure.js';
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
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isChanged = known.etag !== post.etag;

  const deleted = (notice: string, isUndoable: boolean): void => {
    notify(notice, { type: 'success', ...(isUndoable && { action: undoDeletion([post.id]) }) });
    void queryClient.invalidateQueries({ queryKey: [POSTS_PATH] });
    onDeleted();
  };

  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await deletePost(post.id, known.etag);
      deleted(t('deletion.deleted', { title: known.title }), true);
    } catch (error) {
      if (hasStatus(error, 404)) deleted(t('deletion.gone'), false);
      else if (hasStatus(error, 412)) await readPost(post.id).then(setKnown, setFailure);
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <TitledDialog title={t('deletion.title')} open onClose={onClose} maxWidth="xs">
      <DialogContent>
        {isChanged && (
          <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
            {t('deletion.changed')}
          </Alert>
        )}
        {failure !== undefined && <Failure error={failure} />}
        <DialogContentText sx={{ overflowWrap: 'anywhere' }}>
          {t('deletion.text', { title: known.title })}
        </DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button autoFocus onClick={onClose}>
          {t('lists.cancel')}
        </Button>
        <Button variant="contained" color="error" disabled={isBusy} onClick={() => void run()}>
          {t(isChanged ? 'deletion.anyway' : 'deletion.delete')}
        </Button>
      </DialogActions>
    </TitledDialog>
  );
}
