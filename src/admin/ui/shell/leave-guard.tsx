import { type ReactNode, useEffect, useState } from 'react';
import { holdUnsavedInput } from '../api/unsaved-input.js';
import { Close, type ConfirmDialogProps, LeaveDialog } from './dialogs.js';
import { type StoppedNavigation, useGuard } from './navigation-guards.js';

/** For the state of a navigation after input was saved or discarded. */
export const SETTLED = { isSettled: true } as const;

export interface LeaveGuardProps {
  readonly isDirty: boolean;
  /** Whether this browser keeps the input, so that nothing is lost when the session ends. */
  readonly isKept?: boolean;
  /** The question, if it is not about unsaved input. */
  readonly question?: Pick<ConfirmDialogProps, 'title' | 'text'>;
  readonly onLeave?: () => void;
  /** Closes the dialog that has the input: Back leaves the dialog, not the page. */
  readonly close?: () => void;
}

/** Asks before a navigation that would lose unsaved input. For closing or reloading the page, the browser asks. */
export function LeaveGuard({
  isDirty,
  isKept = false,
  question,
  onLeave,
  close,
}: LeaveGuardProps): ReactNode {
  const [stopped, setStopped] = useState<StoppedNavigation>();
  useGuard(isDirty, {
    isAbovePage: close !== undefined,
    stops: (_, { state }) => (state as { isSettled?: boolean } | null)?.isSettled !== true,
    onStopped: setStopped,
  });
  useEffect(() => (isDirty ? holdUnsavedInput(isKept) : undefined), [isDirty, isKept]);

  if (!isDirty || stopped === undefined) return null;
  const stay = (): void => {
    stopped.cancel();
    setStopped(undefined);
  };
  return (
    <Close value={stay}>
      <LeaveDialog
        {...question}
        run={() => {
          onLeave?.();
          if (close && stopped.isBack) {
            stay();
            close();
          } else stopped.goOn();
          return false;
        }}
      />
    </Close>
  );
}
