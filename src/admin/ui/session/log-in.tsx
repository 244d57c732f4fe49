import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useForm } from 'react-hook-form';
import { api, logInAgain, logOut, session } from '../api/client.js';
import { hasStatus } from '../api/problem.js';
import { TitledDialog } from '../shell/dialogs.js';
import { failureText } from '../shell/failure.js';
import { PasswordField } from '../shell/password-field.js';
import { t } from '../texts/texts.js';

export function LogInPage(): ReactNode {
  const title = t('session.logIn');
  useEffect(() => {
    document.title = `${title} · ${t('shell.siteTitle')}`;
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
        <Typography sx={{ color: 'text.secondary', mb: 0.5 }}>{t('shell.siteTitle')}</Typography>
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
  const isAsked = useSyncExternalStore(logInAgain.subscribe, logInAgain.get) !== undefined;
  return (
    <TitledDialog title={t('session.again.title')} isOpen={isAsked} sx={{ zIndex: 'tooltip' }}>
      <Typography>{t('session.again.text')}</Typography>
      <LogInForm username={session.get()?.account.username}>
        <Button onClick={logOut}>{t('session.again.instead')}</Button>
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
        label={t('session.username')}
        autoComplete="username"
        autoFocus={username === ''}
        required
        {...registered(register('username', { required: t('session.usernameMissing') }))}
        error={errors.username !== undefined}
        helperText={errors.username?.message}
        slotProps={{ htmlInput: { autoCapitalize: 'none', spellCheck: false } }}
      />
      <PasswordField
        label={t('session.password')}
        autoComplete="current-password"
        autoFocus={username !== ''}
        required
        {...registered(register('password', { required: t('session.passwordMissing') }))}
        error={errors.password !== undefined}
        helperText={errors.password?.message}
      />
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end', pt: 0.5 }}>
        {children}
        <Button type="submit" variant="contained" disabled={isSubmitting} fullWidth={children === undefined}>
          {t(isSubmitting ? 'session.loggingIn' : 'session.logIn')}
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
  if (hasStatus(error, 401)) return t('session.refused');
  if (hasStatus(error, 429)) {
    const seconds = error.retryAfterSeconds ?? 60;
    const wait =
      seconds < 90
        ? t('session.seconds', { smart_count: seconds })
        : t('session.minutes', { smart_count: Math.ceil(seconds / 60) });
    return t('session.tooMany', { wait });
  }
  return failureText(error);
}
