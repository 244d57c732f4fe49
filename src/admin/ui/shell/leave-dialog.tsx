import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../texts/texts.js';

export interface LeaveDialogProps {
  readonly isOpen: boolean;
  /** What is asked, when it is not about input. */
  readonly question?: { readonly title: string; readonly text: string } | undefined;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks before unsaved input is lost. */
export function LeaveDialog({ isOpen, question, onStay, onLeave }: LeaveDialogProps): ReactNode {
  const t = useTexts();
  const id = useId();
  return (
    <Dialog open={isOpen} onClose={onStay} aria-labelledby={id}>
      <DialogTitle id={id} component="h2">
        {question?.title ?? t('shell.leave.title')}
      </DialogTitle>
      <DialogContent>
        <DialogContentText>{question?.text ?? t('shell.leave.text')}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onLeave}>{t('shell.leave.leave')}</Button>
        <Button variant="contained" autoFocus onClick={onStay}>
          {t('shell.leave.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
