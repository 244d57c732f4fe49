import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { api, logInAgain, logOut, session } from '../api/client.js';
import { hasStatus } from '../api/problem.js';
import { TitledDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { PasswordField } from '../shell/password-field.js';
import { plural } from '../texts/texts.js';
import { useObservable } from '../api/observable.js';

export function LogInPage(): ReactNode {
  const title = 'Log in';
  useEffect(() => {
    document.title = `${title} · Posts administration`;
  }, [title]);
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
        <Box component="img" src="favicon.svg" alt="" sx={{ width: 40, height: 40, mb: 2 }} />
        <Typography sx={{ color: 'text.secondary', mb: 0.5 }}>Posts administration</Typography>
        <Typography variant="h1" sx={{ mb: 2.5 }}>
          {title}
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
  const isAsked = useObservable(logInAgain) !== undefined;
  return (
    <TitledDialog title="Your session has ended" isOpen={isAsked} sx={{ zIndex: 'tooltip' }}>
      <Typography>Log in again to continue. Nothing you entered is lost.</Typography>
      <LogInForm username={session.get()?.account.username}>
        <Button onClick={logOut}>Leave without saving</Button>
      </LogInForm>
    </TitledDialog>
  );
}

interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface LogInFormProps {
  readonly username?: string | undefined;
  /** Additional buttons beside "Log in". */
  readonly children?: ReactNode;
}

/** Name and password, on the log-in page and in the dialog. */
function LogInForm({ username = '', children }: LogInFormProps): ReactNode {
  const { register, handleSubmit, formState, setError, setFocus, resetField } = useForm<Credentials>({
    defaultValues: { username, password: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ username: name, password }) => {
    try {
      await api.logIn(name, password);
    } catch (error) {
      // A refused password is cleared.
      if (hasStatus(error, 401)) resetField('password');
      setError('root', { message: refusalText(error) });
      setFocus('password');
    }
  });

  return (
    <Stack component="form" noValidate spacing={2} onSubmit={(event) => void submit(event)}>
      {errors.root && (
        <Alert severity="error" role="alert">
          {errors.root.message}
        </Alert>
      )}
      <TextField
        label="User name"
        autoComplete="username"
        autoFocus={username === ''}
        required
        {...registered(register('username', { required: 'Enter your user name.' }))}
        error={errors.username !== undefined}
        helperText={errors.username?.message}
        slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        autoFocus={username !== ''}
        required
        {...registered(register('password', { required: 'Enter your password.' }))}
        error={errors.password !== undefined}
        helperText={errors.password?.message}
      />
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end', pt: 0.5 }}>
        {children}
        <Button type="submit" variant="contained" disabled={isSubmitting} fullWidth={children === undefined}>
          {isSubmitting ? 'Logging in…' : 'Log in'}
        </Button>
      </Stack>
    </Stack>
  );
}

/** react-hook-form's ref is for the input; MUI's own ref is for the wrapper. */
function registered<T extends { ref: unknown }>({
  ref,
  ...rest
}: T): Omit<T, 'ref'> & { inputRef: T['ref'] } {
  return { ...rest, inputRef: ref };
}

function refusalText(error: unknown): string {
  if (hasStatus(error, 401)) return 'The user name or the password is wrong.';
  if (hasStatus(error, 429)) {
    const seconds = error.retryAfterSeconds ?? 60;
    const wait =
      seconds < 90
        ? plural(seconds, '1 second', `${seconds} seconds`)
        : plural(Math.ceil(seconds / 60), '1 minute', `${Math.ceil(seconds / 60)} minutes`);
    return `Too many attempts. Try again in ${wait}.`;
  }
  return failureText(error);
}
