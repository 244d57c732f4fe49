import { Button, Chip } from '@mui/material';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useMay } from '../api/roles.js';
import { PurgeDialog } from '../posts/deletion.js';
import { ListLink } from '../posts/list/list-link.js';
import { useDialog } from '../shell/dialogs.js';
import { runBulk } from '../shell/list/bulk.js';
import { useNewestRevision } from './revision.js';

/** The actions on the whole post: edit, restore or purge. */
export function HistoryActions({ postId, title }: { postId: number; title: string }): ReactNode {
  const navigate = useNavigate();
  const may = useMay();
  const { data: newest } = useNewestRevision(postId);
  const [dialog, open] = useDialog();
  const post = { ids: [postId] };

  if (newest === undefined) return null;
  if (newest.action !== 'deleted') {
    return (
      <ListLink variant="outlined" to={`/posts/${postId}`}>
        {may('editor') ? 'Edit the post' : 'Show the post'}
      </ListLink>
    );
  }
  const leave = (): void => void navigate('/deleted-posts', { replace: true });
  const purge = (): void => open(<PurgeDialog posts={post} count={1} title={title} onStart={leave} />);
  return (
    <>
      <Chip color="error" label="This post is deleted." sx={{ alignSelf: 'center' }} />
      {may('editor') && (
        <Button variant="contained" onClick={() => void runBulk('restorations', post)}>
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
