import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { queryClient } from '../api/client.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { notify } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { type DeletedPost, purgePost } from './deleted-post.js';

/** Asks before a post is gone for good. */
export function PurgeDialog({
  post,
  onClose,
  onPurged,
}: {
  post: Pick<DeletedPost, 'id' | 'title'> | undefined;
  onClose: () => void;
  onPurged?: () => void;
}): ReactNode {
  return (
    <ConfirmDialog
      isOpen={post !== undefined}
      isDangerous
      title={t('deletedPosts.purgeTitle')}
      action={t('deletedPosts.purge')}
      onClose={onClose}
      onConfirm={async () => {
        if (post === undefined) return;
        await purgePost(post.id);
        await queryClient.invalidateQueries();
        notify(t('deletedPosts.purged'));
        onPurged?.();
      }}
    >
      <Typography>{t('deletedPosts.purgeText', { title: post?.title ?? '' })}</Typography>
    </ConfirmDialog>
  );
}
