import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import type { DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../texts/texts.js';
import { Failure } from './failure.js';
import { focusHeading } from './page.js';

export interface TitledDialogProps extends Omit<DialogProps, 'title' | 'aria-labelledby'> {
  readonly title: string;
}

/** A dialog that is named by its heading, and loses nobody's focus. */
export function TitledDialog({ title, children, ...dialog }: TitledDialogProps): ReactNode {
  const id = useId();
  return (
    <Dialog fullWidth aria-labelledby={id} {...dialog}>
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {children}
      <FocusKeeper />
    </Dialog>
  );
}

/** The focus goes back to what opened the dialog; where that has gone, as a row that was deleted, to the page's heading. */
function FocusKeeper(): null {
  // What an effect leaves behind is done once the dialog is out of the page, and the focus no longer in it.
  useEffect(
    () => () => {
      if (document.activeElement === document.body) focusHeading();
    },
    [],
  );
  return null;
}

export interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button does, as a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Where something has to be typed before. */
  readonly canConfirm?: boolean;
  /** Does it; a refusal is shown in the dialog. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before something is done. The focus is on the way out of it. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const {
    isOpen,
    title,
    children,
    action,
    isDangerous = false,
    canConfirm = true,
    onConfirm,
    onClose,
  } = props;
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
    <TitledDialog title={title} open={isOpen} onClose={() => !isRunning && close()} maxWidth="xs">
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
          disabled={!canConfirm}
        >
          {action}
        </Button>
      </DialogActions>
    </TitledDialog>
  );
}
