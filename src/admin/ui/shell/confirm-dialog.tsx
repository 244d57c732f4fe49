import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { type ReactNode, useState } from 'react';
import { t } from '../texts/texts.js';
import { Failure } from './failure.js';
import { TitledDialog } from './titled-dialog.js';

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
        >
          {action}
        </Button>
      </DialogActions>
    </TitledDialog>
  );
}
