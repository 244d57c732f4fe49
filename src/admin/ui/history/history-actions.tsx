import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { queryClient } from '../api/client.js';
import { useMay } from '../api/roles.js';
import { restorePosts } from '../deleted-posts/deleted-post.js';
import { PurgeDialog } from '../deleted-posts/purge-dialog.js';
import { notify, notifyFailure } from '../shell/notices.js';
import { focusHeading } from '../shell/page.js';
import { useDialog } from '../shell/use-dialog.js';
import { t } from '../texts/texts.js';
import { useNewestRevision } from './revision.js';

/** The actions on the whole post: edit, restore or purge. */
export function HistoryActions({ postId, title }: { postId: number; title: string }): ReactNode {
  const navigate = useNavigate();
  const may = useMay();
  const newest = useNewestRevision(postId);
  const [dialog, open] = useDialog();

  if (newest.data === undefined) return null;
  if (newest.data.action !== 'deleted') {
    if (!may('editor')) return null;
    return (
      <Button variant="outlined" component={Link} to={`/posts/${postId}`}>
        {t('history.edit')}
      </Button>
    );
  }
  const restore = async (): Promise<void> => {
    await notifyFailure(restorePosts([postId]).then(() => notify(t('history.postRestored'))));
    await queryClient.invalidateQueries();
    focusHeading();
  };
  const purge = (): void =>
    open((close) => (
      <PurgeDialog
        posts={[{ id: postId, title }]}
        onClose={close}
        onPurged={() => void navigate('/deleted-posts', { replace: true })}
      />
    ));
  return (
    <>
      <Chip color="error" variant="outlined" label={t('history.isDeleted')} sx={{ alignSelf: 'center' }} />
      {may('editor') && (
        <Button variant="contained" onClick={() => void restore()}>
          {t('history.restorePost')}
        </Button>
      )}
      {may('administrator') && (
        <Button color="error" onClick={purge}>
          {t('deletedPosts.purge')}
        </Button>
      )}
      {dialog}
    </>
  );
}
