import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useLogout } from 'react-admin';
import { api, logInAgain, session } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { LogInForm } from './log-in-form.js';

/** Opens over whatever is on the screen when the session has ended; what was being done goes on after it. */
export function LogInAgainDialog(): ReactNode {
  const t = useTexts();
  const logOut = useLogout();
  const isAsked = useSyncExternalStore(logInAgain.subscribe, () => logInAgain.isAsked);
  return (
    <Dialog open={isAsked} maxWidth="xs" fullWidth aria-labelledby="log-in-again" sx={{ zIndex: 'tooltip' }}>
      <DialogTitle id="log-in-again" component="h2">
        {t('session.again.title')}
      </DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2.5 }}>{t('session.again.text')}</DialogContentText>
        <LogInForm
          username={session.current?.account.username}
          logIn={({ username, password }) => api.logIn(username, password)}
        >
          <Button onClick={() => void logOut()}>{t('session.again.instead')}</Button>
        </LogInForm>
      </DialogContent>
    </Dialog>
  );
}
