import { Alert, Box, Button, Paper, Stack, Typography } from '@mui/material';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client.js';
import { hasStatus } from '../api/problem.js';
import type { LoggedInAccount } from '../api/session.js';
import { hasUnkeptInput } from '../api/unsaved-input.js';
import { LeaveDialog, TitledDialog, useDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { type FormField, initialOf, Inputs, useForm } from '../shell/form.js';
import { isOpenAbovePage, useBackCloses } from '../shell/navigation-guards.js';
import { endFirstPage, useWindowTitle } from '../shell/page.js';
import { SETTLED } from '../shell/leave-guard.js';
import { counted, quoted } from '../texts/texts.js';

export function LogInPage(): ReactNode {
  useWindowTitle('Log in');
  useEffect(endFirstPage, []);
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
 * Opens over the current page when its session has ended, and hides it: another person may sit here now. The requests that
 * wait go on after a log-in of the same account. What was entered is kept for that account, whoever logs in.
 */
export function LogInAgainDialog({ account }: { account: LoggedInAccount }): ReactNode {
  const [dialog, open] = useDialog();
  const [isAboveDialog] = useState(isOpenAbovePage);
  const askToLeave = (): void => (hasUnkeptInput() ? open(<LeaveDialog run={leave} />) : leave());
  // Back would close the hidden dialog. Above a page, it leaves the page, and the log-in stays.
  useBackCloses(isAboveDialog, askToLeave);
  return (
    <TitledDialog
      title="Your session has ended"
      sx={{ zIndex: 'tooltip' }}
      slotProps={{ backdrop: { sx: { backgroundColor: 'background.default' } } }}
    >
      <Typography>Log in again to continue. Nothing you entered is lost.</Typography>
      <LogInForm username={account.username}>
        <Button onClick={askToLeave}>Leave</Button>
      </LogInForm>
      <Typography variant="body2" color="textSecondary">
        {`Another person can log in, too. What ${quoted(account.username)} has written is kept in this browser, and shown to ${quoted(account.username)} only.`}
      </Typography>
      {dialog}
    </TitledDialog>
  );
}

/** Drafts stay: the next log-in of the account finds them. */
function leave(): void {
  void api.logOut();
}

const FIELDS = [
  { name: 'username', kind: 'text', label: 'User name', autoComplete: 'username' },
  { name: 'password', kind: 'password', label: 'Password', autoComplete: 'current-password' },
] as const satisfies FormField<string>[];

/** Name and password, on the log-in page and in the dialog. @param children buttons beside "Log in" */
function LogInForm({ username = '', children }: { username?: string; children?: ReactNode }): ReactNode {
  const fields = [{ ...FIELDS[0], initial: username }, FIELDS[1]];
  const navigate = useNavigate();
  const form = useForm({
    initial: initialOf<'username' | 'password'>(fields),
    send: async (values) => {
      try {
        const isOther = await api.logIn(values.username, values.password);
        // What the page is about may not concern another account.
        if (isOther) void navigate('/', { replace: true, state: SETTLED });
      } catch (error) {
        // A refused password is cleared.
        if (hasStatus(error, 401)) form.change({ password: '' });
        form.focus('password');
        throw error;
      }
    },
  });
  return (
    <Stack component="form" spacing={2} {...form.areaProps()} {...form.propsFor()}>
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
