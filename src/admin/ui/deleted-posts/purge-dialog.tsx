import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { queryClient } from '../api/client.js';
import type { PostRow } from '../api/posts.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { notify } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { purgePosts } from './deleted-post.js';

export interface PurgeDialogProps {
  readonly posts: readonly Pick<PostRow, 'id' | 'title'>[];
  readonly onClose: () => void;
  readonly onPurged: () => void;
}

/** Confirms a purge. For several posts, the user must type their number. */
export function PurgeDialog({ posts, onClose, onPurged }: PurgeDialogProps): ReactNode {
  const count = posts.length;
  const counted = { smart_count: count, title: posts[0]?.title ?? '' };
  return (
    <ConfirmDialog
      isDangerous
      count={count === 1 ? undefined : count}
      title={t('deletedPosts.purgeTitle', counted)}
      action={t('deletedPosts.purge')}
      onClose={onClose}
      onConfirm={async () => {
        await purgePosts(posts.map(({ id }) => id));
        await queryClient.invalidateQueries();
        notify(t('deletedPosts.purged', counted));
        onPurged();
      }}
    >
      <Typography>{t('deletedPosts.purgeText', counted)}</Typography>
    </ConfirmDialog>
  );
}
