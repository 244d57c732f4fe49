import { type ReactNode, useEffect, useId } from 'react';
import { useBlocker } from 'react-router';
import { LeaveDialog, type LeaveDialogProps } from './leave-dialog.js';

/** For a navigation away from input that is saved or given up: `navigate(path, SETTLED)`. */
export const SETTLED = { state: { isSettled: true } } as const;

const formsWithInput = new Set<string>();

/** Whether somewhere on the page there is input that would be lost. */
export function hasUnsavedInput(): boolean {
  return formsWithInput.size > 0;
}

export interface LeaveGuardProps extends Pick<LeaveDialogProps, 'question'> {
  readonly isDirty: boolean;
}

/** Asks before unsaved input is left behind; when the whole page is closed or loaded anew, the browser asks. */
export function LeaveGuard({ isDirty, question }: LeaveGuardProps): ReactNode {
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
      onLeave={() => blocker.proceed?.()}
    />
  );
}
