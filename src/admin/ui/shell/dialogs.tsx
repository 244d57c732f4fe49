import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, Fragment, type ReactNode, useEffect, useId, useState } from 'react';
import { Observable, useObservable } from '../api/observable.js';
import { numberText } from '../texts/numbers.js';
import { Failure } from './failure.js';
import { focusHeading } from './page.js';

const opened = new Observable<ReactNode>(undefined);
/** The number of dialogs so far: each one starts afresh. */
let dialogs = 0;

/** Opens a dialog over the page. The function makes it, with `close` for its `onClose`. */
export function openDialog(make: (close: () => void) => ReactNode): void {
  // Closes only itself: a dialog may have opened the next one.
  const close = (): void => void (opened.get() === own && opened.set(undefined));
  const own = <Fragment key={(dialogs += 1)}>{make(close)}</Fragment>;
  opened.set(own);
}

/** The open dialog, if any. It closes when this is unmounted. */
export function OpenDialog(): ReactNode {
  useEffect(() => () => opened.set(undefined), []);
  return useObservable(opened);
}

export interface TitledDialogProps extends Omit<DialogProps, 'title' | 'open' | 'onClose' | 'onSubmit'> {
  readonly title: string;
  /** Without it, only the buttons close the dialog. */
  readonly onClose?: () => void;
  /** The buttons. */
  readonly actions?: ReactNode;
  /** Makes content and buttons a form. */
  readonly onSubmit?: (form: HTMLFormElement) => void;
}

/** A dialog labelled by its heading, which restores the focus when it closes. */
export function TitledDialog(props: TitledDialogProps): ReactNode {
  const { title, onSubmit, actions, children, ...dialog } = props;
  const id = useId();
  const content = (
    <>
      <DialogContent sx={{ display: 'grid', gap: 2, overflowWrap: 'anywhere', pt: 0.5 }}>
        {children}
        <FocusKeeper />
      </DialogContent>
      {actions && <DialogActions>{actions}</DialogActions>}
    </>
  );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit?.(event.currentTarget);
  };
  return (
    <Dialog fullWidth maxWidth="xs" open aria-labelledby={id} {...dialog}>
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {onSubmit === undefined ? (
        content
      ) : (
        <form noValidate onSubmit={submit} style={{ display: 'contents' }}>
          {content}
        </form>
      )}
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

export interface Question {
  readonly title: string;
  /** Says what will happen. */
  readonly text: string;
  readonly warning?: string | undefined;
  /** The button's label, a verb. */
  readonly action: string;
  readonly cancel?: string;
  readonly isDangerous?: boolean;
  /** The number that the user must type first. */
  readonly count?: number | undefined;
  /** Performs the action. The dialog shows its failure. */
  readonly run: () => Promise<void> | void;
  readonly onCancel?: () => void;
}

/** Asks for confirmation. The initial focus is on the cancel button. */
export function confirm(question: Question): void {
  openDialog((close) => <ConfirmDialog {...question} close={close} />);
}

function ConfirmDialog(props: Question & { close: () => void }): ReactNode {
  const { title, text, warning, action, cancel = 'Cancel', isDangerous, count, run, onCancel, close } = props;
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useMutation({ mutationFn: async () => run(), onSuccess: close });
  const leave = (): void => {
    close();
    onCancel?.();
  };
  return (
    <TitledDialog
      title={title}
      onClose={() => !isPending && leave()}
      actions={
        <>
          <Button autoFocus onClick={leave} disabled={isPending}>
            {cancel}
          </Button>
          <Button
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            onClick={() => mutate()}
            loading={isPending}
            // The number may be typed with separators.
            disabled={count !== undefined && typed.replaceAll(/\D/g, '') !== String(count)}
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
export function askToLeave(question: Pick<Question, 'run' | 'onCancel'> & Partial<Question>): void {
  confirm({
    title: 'Leave without saving?',
    text: 'Your changes on this page will be lost.',
    action: 'Leave',
    cancel: 'Stay',
    isDangerous: true,
    ...question,
  });
}
