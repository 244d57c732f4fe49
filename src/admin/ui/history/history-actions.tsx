import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import type { ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../api/roles.js';
import { PurgeDialog } from '../deleted-posts/purge-dialog.js';
import { runBulk } from '../shell/list/bulk.js';
import { focusHeading } from '../shell/page.js';
import { useDialog } from '../shell/use-dialog.js';
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
        Edit the post
      </Button>
    );
  }
  const restore = async (): Promise<void> => {
    await runBulk('restorations', { ids: [postId] });
    focusHeading();
  };
  const purge = (): void =>
    open((close) => (
      <PurgeDialog
        selection={{ ids: [postId] }}
        count={1}
        title={title}
        onClose={close}
        onPurged={() => void navigate('/deleted-posts', { replace: true })}
      />
    ));
  return (
    <>
      <Chip color="error" variant="outlined" label="This post is deleted." sx={{ alignSelf: 'center' }} />
      {may('editor') && (
        <Button variant="contained" onClick={() => void restore()}>
          Restore the post
        </Button>
      )}
      {may('administrator') && (
        <Button color="error" onClick={purge}>
          Delete for good
        </Button>
      )}
      {dialog}
    </>
  );
}
