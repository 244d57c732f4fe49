import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '../texts/texts.js';
import { Failure } from './failure.js';

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button does, as a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Does it; a refusal is shown in the dialog. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done. The focus is on the way out of it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, title, children, action, isDangerous = false, onConfirm, onClose } = props;
  const t = useTexts();
  const id = useId();
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();

  const close = (): void => {
    setError(undefined);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    setRunning(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };

  return (
    <Dialog
      open={isOpen}
      onClose={() => !isRunning && close()}
      maxWidth="xs"
      fullWidth
      aria-labelledby={id}
      slotProps={{ transition: { onExited: keepFocus } }}
    >
      <DialogTitle id={id} component="h2">
        {title}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2, overflowWrap: 'anywhere' }}>
        {children}
        {error !== undefined && <Failure error={error} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button autoFocus onClick={close} disabled={isRunning}>
          {t('lists.cancel')}
        </Button>
        <Button
          variant="contained"
          color={isDangerous ? 'error' : 'primary'}
          onClick={() => void confirm()}
          loading={isRunning}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** After what was focused has gone, as the row that was deleted: the start of the page is a place to go on from. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus();
}

/** A dialog gives the focus back to what opened it, unless that has gone. To be called when its transition is over. */
export function keepFocus(): void {
  // Not before the dialog has left the page: until then the focus may be in it.
  setTimeout(() => {
    if (document.activeElement === document.body) focusHeading();
  });
}
