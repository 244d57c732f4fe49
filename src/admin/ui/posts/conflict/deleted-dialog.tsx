import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import { type ReactNode, useState } from 'react';
import { TitledDialog } from '../../shell/dialogs.js';
import { t } from '../../texts/texts.js';

export interface DeletedDialogProps {
  readonly onRestore: () => Promise<void>;
  readonly onCreate: () => Promise<void>;
  readonly onClose: () => void;
}

/** Shown when the edited post was deleted: restore it with the changes, or create a new post. */
export function DeletedDialog({ onRestore, onCreate, onClose }: DeletedDialogProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const run = (action: () => Promise<void>) => () => {
    setBusy(true);
    void action().finally(() => setBusy(false));
  };
  return (
    <TitledDialog title={t('conflict.deleted.title')} open onClose={onClose} maxWidth="sm">
      <DialogContent>
        <DialogContentText>{t('conflict.deleted.text')}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5, flexWrap: 'wrap', gap: 1 }}>
        <Button onClick={onClose}>{t('conflict.deleted.cancel')}</Button>
        <Button variant="outlined" disabled={isBusy} onClick={run(onCreate)}>
          {t('conflict.deleted.create')}
        </Button>
        <Button variant="contained" autoFocus disabled={isBusy} onClick={run(onRestore)}>
          {t('conflict.deleted.restore')}
        </Button>
      </DialogActions>
    </TitledDialog>
  );
}
