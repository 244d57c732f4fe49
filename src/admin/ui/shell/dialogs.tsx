import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import type { DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { numberText } from '../texts/numbers.js';
import { Failure } from './failure.js';
import { focusHeading } from './page.js';

export interface TitledDialogProps extends Omit<DialogProps, 'title' | 'open' | 'onClose' | 'onSubmit'> {
  readonly title: string;
  readonly isOpen?: boolean;
  /** Without it, only the buttons close the dialog. */
  readonly onClose?: () => void;
  /** The buttons. */
  readonly actions?: ReactNode;
  /** Makes content and buttons a form. */
  readonly onSubmit?: () => void;
}

/** A dialog labelled by its heading, which restores the focus when it closes. */
export function TitledDialog(props: TitledDialogProps): ReactNode {
  const { title, isOpen = true, onSubmit, actions, children, ...dialog } = props;
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
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <Dialog fullWidth maxWidth="xs" open={isOpen} aria-labelledby={id} {...dialog}>
      <DialogTitle id={id} component="h2" sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {onSubmit === undefined ? (
        content
      ) : (
        <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
          {content}
        </Box>
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

export interface ConfirmDialogProps {
  readonly title: string;
  /** The text that says what will happen. */
  readonly children: ReactNode;
  /** The button's label, a verb. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** The number that the user must type first. */
  readonly count?: number | undefined;
  /** Performs the action. A refusal is shown in the dialog; `false` keeps the dialog open. */
  readonly onConfirm: () => Promise<void | false> | void;
  readonly onClose: () => void;
}

/** Asks for confirmation. The initial focus is on the cancel button. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, action, isDangerous = false, count, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => onConfirm(),
    onSuccess: (result) => result !== false && onClose(),
  });
  return (
    <TitledDialog
      title={title}
      onClose={() => !isPending && onClose()}
      actions={
        <>
          <Button autoFocus onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button
            variant="contained"
            color={isDangerous ? 'error' : 'primary'}
            onClick={() => mutate()}
            loading={isPending}
            disabled={count !== undefined && !isTyped(typed, count)}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {count !== undefined && <TypedCount count={count} typed={typed} onType={setTyped} />}
      {error !== null && <Failure error={error} />}
    </TitledDialog>
  );
}

interface TypedCountProps {
  readonly count: number;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

/** The number of posts to type before they are deleted. */
function TypedCount({ count, typed, onType }: TypedCountProps): ReactNode {
  return (
    <TextField
      label={`Type ${numberText(count)} to confirm`}
      value={typed}
      onChange={({ target }) => onType(target.value)}
      autoComplete="off"
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      sx={{ mt: 1 }}
    />
  );
}

/** Whether the number was typed, with or without separators. */
function isTyped(typed: string, count: number): boolean {
  return typed.replaceAll(/\D/g, '') === String(count);
}

export interface LeaveDialogProps {
  readonly isOpen: boolean;
  /** The question, if it is not about unsaved input. */
  readonly question?: { readonly title: string; readonly text: string } | undefined;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks whether to leave the page. */
export function LeaveDialog({ isOpen, question, onStay, onLeave }: LeaveDialogProps): ReactNode {
  return (
    <TitledDialog
      title={question?.title ?? 'Leave without saving?'}
      isOpen={isOpen}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onLeave}>Leave</Button>
          <Button variant="contained" autoFocus onClick={onStay}>
            Stay
          </Button>
        </>
      }
    >
      <Typography>{question?.text ?? 'Your changes on this page will be lost.'}</Typography>
    </TitledDialog>
  );
}
