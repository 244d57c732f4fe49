import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import { type ReactNode, useEffect, useId } from 'react';
import { useBlocker } from 'react-router';
import { t } from '../texts/texts.js';
import { TitledDialog } from './dialogs.js';

/** For a navigation after input was saved or discarded: `navigate(path, SETTLED)`. */
export const SETTLED = { state: { isSettled: true } } as const;

const formsWithInput = new Set<string>();

/** Whether the page has unsaved input. */
export function hasUnsavedInput(): boolean {
  return formsWithInput.size > 0;
}

export interface LeaveGuardProps extends Pick<LeaveDialogProps, 'question'> {
  readonly isDirty: boolean;
  readonly onLeave?: () => void;
}

/** Asks before a navigation that would lose unsaved input. For closing or reloading the page, the browser asks. */
export function LeaveGuard({ isDirty, question, onLeave }: LeaveGuardProps): ReactNode {
  const id = useId();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty &&
      (nextLocation.state as { isSettled?: boolean } | null)?.isSettled !== true &&
      currentLocation.pathname + currentLocation.search !== nextLocation.pathname + nextLocation.search,
  );

  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    formsWithInput.add(id);
    window.addEventListener('beforeunload', ask);
    return () => {
      formsWithInput.delete(id);
      window.removeEventListener('beforeunload', ask);
    };
  }, [isDirty, id]);

  return (
    <LeaveDialog
      isOpen={blocker.state === 'blocked'}
      question={question}
      onStay={() => blocker.reset?.()}
      onLeave={() => {
        onLeave?.();
        blocker.proceed?.();
      }}
    />
  );
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
