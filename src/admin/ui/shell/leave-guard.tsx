import { type ReactNode, useEffect } from 'react';
import { useBlocker } from 'react-router';
import { holdUnsavedInput } from '../api/unsaved-input.js';
import { Close, type ConfirmDialogProps, LeaveDialog } from './dialogs.js';

/** For the state of a navigation after input was saved or discarded. */
export const SETTLED = { isSettled: true } as const;

interface GuardProps {
  /** The question, if it is not about unsaved input. */
  readonly question?: Pick<ConfirmDialogProps, 'title' | 'text'>;
  readonly onLeave?: () => void;
}

export interface LeaveGuardProps extends GuardProps {
  readonly isDirty: boolean;
}

/** Asks before a navigation that would lose unsaved input. For closing or reloading the page, the browser asks. */
export function LeaveGuard({ isDirty, ...props }: LeaveGuardProps): ReactNode {
  return isDirty && <Guard {...props} />;
}

function Guard({ question, onLeave }: GuardProps): ReactNode {
  const blocker = useBlocker(
    ({ nextLocation }) => (nextLocation.state as { isSettled?: boolean } | null)?.isSettled !== true,
  );

  useEffect(holdUnsavedInput, []);

  if (blocker.state !== 'blocked') return null;
  return (
    <Close value={blocker.reset}>
      <LeaveDialog
        {...question}
        run={() => {
          onLeave?.();
          blocker.proceed();
          return false;
        }}
      />
    </Close>
  );
}
