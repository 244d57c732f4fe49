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

/** A dialog labelled by its heading, which restores the focus when it closes. */
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

/** Moves the focus to the page's heading when the element that opened the dialog was removed, as in a deleted row. */
function FocusKeeper(): null {
  // The cleanup of an effect runs after the dialog is removed, when the focus is no longer in it.
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
  /** The text that says what will happen. */
  readonly children: ReactNode;
  /** The button's label, a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** False until the user has typed what is required. */
  readonly canConfirm?: boolean;
  /** Performs the action; a refusal is shown in the dialog. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for confirmation. The initial focus is on the cancel button. */
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
