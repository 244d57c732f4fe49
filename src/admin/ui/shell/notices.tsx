import { Alert, Button, Snackbar } from '@mui/material';
import { type ReactNode, useEffect, useRef } from 'react';
import { session } from '../api/client.js';
import { Observable, useObservable } from '../api/observable.js';
import { ROLE_NAMES, useAccount } from '../api/roles.js';
import { announce } from './announcements.js';
import { failureText } from './failure.js';

export interface NoticeOptions {
  /** `info` is the progress of something that runs. */
  readonly type?: 'success' | 'info' | 'warning' | 'error';
  readonly action?: NoticeAction;
}

/** A button beside the text, such as "Undo". */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

interface Notice extends NoticeOptions {
  readonly id: number;
  readonly text: string;
}

/** Long enough to reach the button with a keyboard or a screen reader. */
const OFFER_MS = 60_000;
const TOLD_MS = 6_000;

const newest = new Observable<Notice | undefined>(undefined);
let lastId = 0;

/** Shows a notice, which replaces the previous one. @returns a function that changes its text while it is shown */
export function notify(text: string, options: NoticeOptions = {}): (text: string) => void {
  const id = ++lastId;
  // What ends after a log-out is not for the next account.
  if (session.get()) {
    newest.set({ ...options, text, id });
    // An error is an alert, which is said at once.
    if (options.type !== 'error') announce(text);
  }
  return (changed) => {
    if (newest.get()?.id === id) newest.set({ ...options, text: changed, id });
  };
}

/** Returns `notify` for the account that is logged in now: what ends later is not for the next one. */
export function notifier(): typeof notify {
  const account = session.get()?.account.id;
  return (...notice) => (session.get()?.account.id === account ? notify(...notice) : () => undefined);
}

/** Shows a notice when an action fails. */
export async function notifyFailure(action: Promise<unknown>): Promise<void> {
  const tell = notifier();
  try {
    await action;
  } catch (error) {
    tell(failureText(error), { type: 'error' });
  }
}

/** Tells the account that its role was changed. */
function useRoleNotice(): void {
  const { role } = useAccount();
  const told = useRef(role);
  useEffect(() => {
    if (role === told.current) return;
    told.current = role;
    notify(`An administrator has changed your role: it is now ${ROLE_NAMES[role]}.`, { type: 'warning' });
  }, [role]);
}

/** Shows the newest notice at the edge of the page. Errors stay until they are closed. */
export function Notices(): ReactNode {
  const notice = useObservable(newest);
  useRoleNotice();
  // A notice is closed when its session ends.
  useEffect(() => () => newest.set(undefined), []);
  if (notice === undefined) return null;

  const { id, text, type = 'success', action } = notice;
  const stays = type === 'error' || type === 'info';
  const shownMs = action ? OFFER_MS : TOLD_MS;
  const dismiss = (): void => newest.set(undefined);
  return (
    <Snackbar
      key={id}
      open
      onClose={(_, reason) => reason !== 'clickaway' && dismiss()}
      autoHideDuration={stays ? null : shownMs}
      // Shown at the top: at the bottom it would cover the buttons of forms and selections.
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      sx={{ '&&': { top: 64 } }}
      role="region"
      aria-label="Notice"
    >
      <Alert
        // All but errors were announced.
        role={type === 'error' ? 'alert' : 'presentation'}
        severity={type}
        variant="filled"
        onClose={dismiss}
        closeText="Close"
        sx={{ boxShadow: 6, alignItems: 'center', maxWidth: 640, '& .MuiAlert-message': MESSAGE }}
        {...(action && {
          action: (
            <Button
              color="inherit"
              size="small"
              onClick={() => {
                dismiss();
                action.run();
              }}
            >
              {action.label}
            </Button>
          ),
        })}
      >
        {text}
      </Alert>
    </Snackbar>
  );
}

/** A long title leaves room for the button, and for the page behind. */
const MESSAGE = {
  minWidth: 0,
  maxHeight: '40vh',
  overflow: 'auto',
  overflowWrap: 'anywhere',
} as const;
