import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TitledDialog } from '../../shell/dialogs.js';
import { t } from '../../texts/texts.js';

export interface DeletedDialogProps {
  readonly onRestore: () => Promise<void>;
  readonly onCreate: () => Promise<void>;
  readonly onClose: () => void;
}

/** Shown when the edited post was deleted: restore it with the changes, or create a new post. */
export function DeletedDialog({ onRestore, onCreate, onClose }: DeletedDialogProps): ReactNode {
  const { mutate, isPending } = useMutation({ mutationFn: (action: () => Promise<void>) => action() });
  return (
    <TitledDialog
      title={t('conflict.deleted.title')}
      onClose={onClose}
      maxWidth="sm"
      actions={
        <>
          <Button onClick={onClose}>{t('conflict.cancel')}</Button>
          <Button variant="outlined" disabled={isPending} onClick={() => mutate(onCreate)}>
            {t('conflict.deleted.create')}
          </Button>
          <Button variant="contained" autoFocus disabled={isPending} onClick={() => mutate(onRestore)}>
            {t('conflict.deleted.restore')}
          </Button>
        </>
      }
    >
      <Typography>{t('conflict.deleted.text')}</Typography>
    </TitledDialog>
  );
}
