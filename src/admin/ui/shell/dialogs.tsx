import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  type DialogProps,
  DialogTitle,
  TextField,
  Typography,
} from '@mui/material';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useSingleMutation } from '../api/use-single-mutation.js';
import { numberText } from '../texts/texts.js';
import { Failure } from './failure.js';
import { useBackCloses } from './navigation-guards.js';

export interface TitledDialogProps extends Omit<DialogProps, 'title' | 'open' | 'onClose'> {
  readonly title: string;
  /** Without it, only the buttons close the dialog. Back is like Escape. */
  readonly onClose?: (reason: 'escapeKeyDown' | 'backdropClick') => void;
  /** The buttons. */
  readonly actions?: ReactNode;
}

/** A dialog labelled by its heading, which restores the focus when it closes. Render it while it is open. */
export function TitledDialog(props: TitledDialogProps): ReactNode {
  const { title, actions, children, onClose, ...dialog } = props;
  const id = useId();
  useBackCloses(onClose !== undefined, () => onClose?.('escapeKeyDown'));
  return (
    <Dialog
      fullWidth
      maxWidth="xs"
      open
      aria-labelledby={id}
      onClose={(_, reason) => onClose?.(reason)}
      {...dialog}
    >
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <DialogContent
        sx={{ display: 'grid', gap: 2, alignContent: 'start', overflowWrap: 'anywhere', pt: 0.5 }}
      >
        {children}
      </DialogContent>
      {actions && <DialogActions>{actions}</DialogActions>}
    </Dialog>
  );
}

/** Has the function that closes the dialog. */
export const Close = createContext((): void => undefined);

/** Returns the function that closes the dialog of this component. */
export function useClose(): () => void {
  return useContext(Close);
}

export type OpenDialog = (dialog: ReactNode) => void;

/**
 * Returns the open dialog of a page, and the function that opens one. A dialog asks about what the page showed when it was
 * opened: its properties do not follow the page.
 */
export function useDialog(): [dialog: ReactNode, open: OpenDialog] {
  const [dialog, open] = useState<ReactNode>(null);
  const closable = <Close value={() => open(null)}>{dialog}</Close>;
  return [closable, open];
}

export interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  readonly warning?: string | undefined;
  readonly action: string;
  readonly cancel?: string;
  readonly isDangerous?: boolean;
  /** The number that the user must type first. */
  readonly count?: number | undefined;
  /** Performs the action. The dialog shows its failure, and stays open when it returns false. */
  readonly run: () => Promise<boolean | void> | boolean | void;
}

/** Asks for confirmation. The initial focus is on the cancel button. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, text, warning, action, cancel = 'Cancel', isDangerous, count, run } = props;
  const close = useClose();
  const [typed, setTyped] = useState('');
  const { mutate, isPending, isRunning, error } = useSingleMutation({
    mutationFn: async () => run(),
    onSuccess: (isDone) => isDone !== false && close(),
  });
  return (
    <TitledDialog
      title={title}
      // Also above the log-in.
      sx={{ zIndex: 'tooltip' }}
      onClose={() => !isRunning() && close()}
      actions={
        <>
          <Button autoFocus onClick={close} disabled={isPending}>
            {cancel}
          </Button>
          <Button
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            onClick={() => mutate()}
            // The number may be typed with separators.
            disabled={isPending || (count !== undefined && typed.replaceAll(/\D/g, '') !== String(count))}
          >
            {action}
          </Button>
        </>
      }
    >
      {warning !== undefined && (
        <Alert severity="warning" role="alert">
          {warning}
        </Alert>
      )}
      <Typography>{text}</Typography>
      {count !== undefined && (
        <TextField
          label={`Type ${numberText(count)} to confirm`}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          slotProps={{ htmlInput: { inputMode: 'numeric' } }}
          sx={{ mt: 1 }}
        />
      )}
      {error !== null && <Failure error={error} />}
    </TitledDialog>
  );
}

/** Asks before unsaved input is lost, or another question about leaving. */
export function LeaveDialog(props: Pick<ConfirmDialogProps, 'run'> & Partial<ConfirmDialogProps>): ReactNode {
  return (
    <ConfirmDialog
      title="Leave without saving?"
      text="Your changes on this page will be lost."
      action="Leave"
      cancel="Stay"
      isDangerous
      {...props}
    />
  );
}
