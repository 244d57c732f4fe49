import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useBlocker } from 'react-router';
import { askToLeave, type Question } from './dialogs.js';

/** For a navigation after input was saved or discarded: `navigate(path, SETTLED)`. */
export const SETTLED = { state: { isSettled: true } } as const;

const formsWithInput = new Set<string>();

/** Whether the page has unsaved input. */
export function hasUnsavedInput(): boolean {
  return formsWithInput.size > 0;
}

export interface LeaveGuardProps {
  readonly isDirty: boolean;
  /** The question, if it is not about unsaved input. */
  readonly question?: Pick<Question, 'title' | 'text'>;
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

  // Each navigation asks once, whatever is rendered meanwhile.
  const latest = useRef({ blocker, question, onLeave });
  useEffect(() => {
    latest.current = { blocker, question, onLeave };
  });
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (!isBlocked) return;
    askToLeave({
      ...latest.current.question,
      onCancel: () => latest.current.blocker.reset?.(),
      run: () => {
        latest.current.onLeave?.();
        latest.current.blocker.proceed?.();
      },
    });
  }, [isBlocked]);

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
  return null;
}
