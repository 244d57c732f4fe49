import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.js';
import { TitledDialog } from './titled-dialog.js';

export interface LeaveDialogProps {
  readonly isOpen: boolean;
  /** What is asked, when it is not about input. */
  readonly question?: { readonly title: string; readonly text: string } | undefined;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before unsaved input is lost. */
export function LeaveDialog({ isOpen, question, onStay, onLeave }: LeaveDialogProps): ReactNode {
  return (
    <TitledDialog
      title={question?.title ?? t('shell.leave.title')}
      open={isOpen}
      onClose={onStay}
      maxWidth="xs"
    >
      <DialogContent>
        <DialogContentText>{question?.text ?? t('shell.leave.text')}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onLeave}>{t('shell.leave.leave')}</Button>
        <Button variant="contained" autoFocus onClick={onStay}>
          {t('shell.leave.stay')}
        </Button>
      </DialogActions>
    </TitledDialog>
  );
}
