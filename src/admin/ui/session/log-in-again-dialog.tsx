import Button from '@mui/material/Button';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import { type ReactNode, useSyncExternalStore } from 'react';
import { logInAgain, logOut, session } from '../api/client.js';
import { TitledDialog } from '../shell/titled-dialog.js';
import { t } from '../texts/texts.js';
import { LogInForm } from './log-in-form.js';

/** Opens over whatever is on the screen when the session has ended; what was being done goes on after it. */
export function LogInAgainDialog(): ReactNode {
  const isAsked = useSyncExternalStore(logInAgain.subscribe, logInAgain.get) !== undefined;
  return (
    <TitledDialog title={t('session.again.title')} open={isAsked} maxWidth="xs" sx={{ zIndex: 'tooltip' }}>
      <DialogContent>
        <DialogContentText sx={{ mb: 2.5 }}>{t('session.again.text')}</DialogContentText>
        <LogInForm username={session.get()?.account.username}>
          <Button onClick={logOut}>{t('session.again.instead')}</Button>
        </LogInForm>
      </DialogContent>
    </TitledDialog>
  );
}
