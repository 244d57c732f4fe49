import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/client.js';
import { ConfirmDialog } from '../shell/dialogs.js';
import { notify } from '../shell/notices.js';
import { t } from '../texts/texts.js';
import { type DeletedPost, purgePosts } from './deleted-post.js';

export interface PurgeDialogProps {
  readonly posts: readonly Pick<DeletedPost, 'id' | 'title'>[];
  readonly onClose: () => void;
  readonly onPurged: () => void;
}

/** Confirms a purge. For several posts, the user must type their number. */
export function PurgeDialog({ posts, onClose, onPurged }: PurgeDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const count = posts.length;
  const isOne = count === 1;
  const counted = { smart_count: count, title: posts[0]?.title ?? '' };
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      canConfirm={isOne || typed.trim() === String(count)}
      title={t('deletedPosts.purgeTitle', counted)}
      action={t('deletedPosts.purge')}
      onClose={onClose}
      onConfirm={async () => {
        await purgePosts(
          posts.map(({ id }) => id),
          isOne ? count : Number(typed),
        );
        await queryClient.invalidateQueries();
        notify(t('deletedPosts.purged', counted));
        onPurged();
      }}
    >
      <Typography>{t('deletedPosts.purgeText', counted)}</Typography>
      {!isOne && (
        <TextField
          label={t('deletion.many.confirm', { count })}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
        />
      )}
    </ConfirmDialog>
  );
}
