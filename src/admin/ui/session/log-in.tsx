import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { api, logInAgain, logOut, session } from '../api/client.js';
import { hasStatus } from '../api/problem.js';
import { TitledDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { type FormField, useForm } from '../shell/form.js';
import { plural } from '../texts/texts.js';
import { useObservable } from '../api/observable.js';

export function LogInPage(): ReactNode {
  useEffect(() => {
    document.title = 'Log in · Posts administration';
  }, []);
  return (
    <Box
      component="main"
      sx={{
        display: 'grid',
        placeItems: 'center',
        minHeight: '100vh',
        p: 2,
        backgroundColor: 'background.default',
      }}
    >
      <Box sx={{ width: '100%', maxWidth: 384, pb: '8vh' }}>
        <Box component="img" src="assets/icon-1.svg" alt="" sx={{ width: 40, height: 40, mb: 2 }} />
        <Typography sx={{ color: 'text.secondary', mb: 0.5 }}>Posts administration</Typography>
        <Typography variant="h1" sx={{ mb: 2.5 }}>
          Log in
        </Typography>
        <Paper variant="outlined" sx={{ p: 3 }}>
          <LogInForm />
        </Paper>
      </Box>
    </Box>
  );
}

/** Opens over the current page when the session has ended. The interrupted request continues after the log-in. */
export function LogInAgainDialog(): ReactNode {
  if (useObservable(logInAgain) === undefined) return null;
  return (
    <TitledDialog title="Your session has ended" sx={{ zIndex: 'tooltip' }}>
      <Typography>Log in again to continue. Nothing you entered is lost.</Typography>
      <LogInForm username={session.get()?.account.username}>
        <Button onClick={logOut}>Leave without saving</Button>
      </LogInForm>
    </TitledDialog>
  );
}

export interface LogInFormProps {
  readonly username?: string | undefined;
  /** Additional buttons beside "Log in". */
  readonly children?: ReactNode;
}

/** Name and password, on the log-in page and in the dialog. */
function LogInForm({ username, children }: LogInFormProps): ReactNode {
  const fields = [
    {
      name: 'username',
      kind: 'text',
      label: 'User name',
      initial: username,
      missing: 'Enter your user name.',
      autoComplete: 'username',
    },
    {
      name: 'password',
      kind: 'password',
      label: 'Password',
      missing: 'Enter your password.',
      autoComplete: 'current-password',
    },
  ] as const satisfies FormField<string>[];
  const { inputs, isPending, failure, submit } = useForm(fields, async (values, form) => {
    try {
      await api.logIn(values.username, values.password);
    } catch (error) {
      const password = form.elements.namedItem('password') as HTMLInputElement;
      // A refused password is cleared.
      if (hasStatus(error, 401)) password.value = '';
      password.focus();
      throw error;
    }
  });
  return (
    <Stack
      component="form"
      noValidate
      spacing={2}
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      {failure && (
        <Alert severity="error" role="alert">
          {refusalText(failure)}
        </Alert>
      )}
      {inputs}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end', pt: 0.5 }}>
        {children}
        <Button type="submit" variant="contained" disabled={isPending} fullWidth={children === undefined}>
          {isPending ? 'Logging in…' : 'Log in'}
        </Button>
      </Stack>
    </Stack>
  );
}

function refusalText(error: unknown): string {
  if (hasStatus(error, 401)) return 'The user name or the password is wrong.';
  if (hasStatus(error, 429)) {
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    const wait = plural(minutes, '1 minute', `${minutes} minutes`);
    return `Too many attempts. Try again in ${wait}.`;
  }
  return failureText(error);
}
