import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Snackbar from '@mui/material/Snackbar';
import { type ReactNode, useRef, useState } from 'react';
import { type NotificationPayload, useNotificationContext, useTranslate } from 'react-admin';
import { focusHeading } from './page.js';

/** Something to press beside what `notify` tells, as "Undo": `notify('…', { action })`. */
export interface NoticeAction {
  readonly label: string;
  readonly run: () => void;
}

/** An offer has to be found and reached, with a keyboard or a screen reader too. */
const OFFER_MS = 60_000;
const TOLD_MS = 6_000;

/** Says what was done, at the edge of the page and in a live region. Faults stay until they are closed. */
export function Notices(): ReactNode {
  const { notifications, resetNotifications } = useNotificationContext();
  const translate = useTranslate();
  const [closed, setClosed] = useState<NotificationPayload>();
  const alert = useRef<HTMLDivElement>(null);

  // The newest takes the place of the one before.
  const notice = notifications.at(-1);
  const close = (): void => {
    // Whoever closes it from within is left on the page, and where it was scrolled to.
    if (alert.current?.contains(document.activeElement)) focusHeading({ preventScroll: true });
    setClosed(notice);
  };
  const action = notice?.notificationOptions?.['action'] as NoticeAction | undefined;
  const isFault = notice?.type === 'error';

  return (
    <Snackbar
      key={notifications.length}
      open={notice !== undefined && notice !== closed}
      onClose={(_, reason) => reason !== 'clickaway' && close()}
      autoHideDuration={isFault ? null : action ? OFFER_MS : TOLD_MS}
      // Below the bar: at the lower edge it would lie on the buttons of forms and selections.
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      sx={{ '&&': { top: 64 } }}
      slotProps={{ transition: { onExited: resetNotifications } }}
    >
      <Alert
        ref={alert}
        role={isFault ? 'alert' : 'status'}
        severity={notice?.type ?? 'info'}
        variant="filled"
        onClose={close}
        closeText={translate('shell.close')}
        sx={{ boxShadow: 6, alignItems: 'center', maxWidth: 640 }}
        {...(action && {
          action: (
            <Button
              color="inherit"
              size="small"
              onClick={() => {
                close();
                action.run();
              }}
            >
              {action.label}
            </Button>
          ),
        })}
      >
        {typeof notice?.message === 'string'
          ? translate(notice.message, notice.notificationOptions?.messageArgs as object | undefined)
          : notice?.message}
      </Alert>
    </Snackbar>
  );
}
