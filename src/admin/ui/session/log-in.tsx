import { Alert, Box, Button, Paper, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { api } from '../api/client.js';
import { removeOwnDrafts } from '../api/draft-store.js';
import { hasStatus } from '../api/problem.js';
import type { LoggedInAccount } from '../api/session.js';
import { hasUnsavedInput } from '../api/unsaved-input.js';
import { LeaveDialog, TitledDialog, useDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { type FormField, initialOf, Inputs, useForm } from '../shell/form.js';
import { useWindowTitle } from '../shell/page.js';
import { counted } from '../texts/texts.js';

export function LogInPage(): ReactNode {
  useWindowTitle('Log in');
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

/**
 * Opens over the current page when its session has ended. The requests that wait go on after the log-in, which must be of
 * the same account.
 */
export function LogInAgainDialog({ account }: { account: LoggedInAccount }): ReactNode {
  const [dialog, open] = useDialog();
  return (
    <TitledDialog title="Your session has ended" sx={{ zIndex: 'tooltip' }}>
      <Typography>Log in again to continue. Nothing you entered is lost.</Typography>
      <LogInForm username={account.username}>
        <Button onClick={() => (hasUnsavedInput() ? open(<LeaveDialog run={leave} />) : leave())}>
          Leave without saving
        </Button>
      </LogInForm>
      {dialog}
    </TitledDialog>
  );
}

function leave(): void {
  removeOwnDrafts();
  void api.logOut();
}

const FIELDS = [
  { name: 'username', kind: 'text', label: 'User name', autoComplete: 'username' },
  { name: 'password', kind: 'password', label: 'Password', autoComplete: 'current-password' },
] as const satisfies FormField<string>[];

/** Name and password, on the log-in page and in the dialog. @param children buttons beside "Log in" */
function LogInForm({ username = '', children }: { username?: string; children?: ReactNode }): ReactNode {
  const fields = [{ ...FIELDS[0], initial: username }, FIELDS[1]];
  const form = useForm({
    initial: initialOf<'username' | 'password'>(fields),
    send: async (values) => {
      try {
        await api.logIn(values.username, values.password);
      } catch (error) {
        // A refused password is cleared.
        if (hasStatus(error, 401)) form.change({ password: '' });
        form.focus('password');
        throw error;
      }
    },
  });
  return (
    <Stack component="form" spacing={2} {...form.propsFor()}>
      {form.failure && (
        <Alert severity="error" role="alert">
          {refusalText(form.failure)}
        </Alert>
      )}
      <Inputs fields={fields} form={form} />
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end', pt: 0.5 }}>
        {children}
        <Button
          type="submit"
          variant="contained"
          disabled={form.isPending}
          fullWidth={children === undefined}
        >
          <span>{form.isPending ? 'Logging in…' : 'Log in'}</span>
        </Button>
      </Stack>
    </Stack>
  );
}

function refusalText(error: unknown): string {
  if (hasStatus(error, 401)) return 'The user name or the password is wrong.';
  if (hasStatus(error, 429)) {
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    return `Too many attempts. Try again in ${counted(minutes, 'minute')}.`;
  }
  return failureText(error);
}
