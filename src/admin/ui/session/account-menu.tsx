import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { PasswordDialog } from '../accounts/password-dialog.js';
import { ROLE_NAMES } from '../accounts/account.js';
import { logOut, session } from '../api/client.js';
import type { Remembered } from '../api/remembered.js';
import { AccountIcon } from '../shell/icons.js';
import { KeysDialog } from '../shell/keys-dialog.js';
import { LeaveDialog } from '../shell/dialogs.js';
import { hasUnsavedInput, SETTLED } from '../shell/leave-guard.js';
import { SelectField } from '../shell/fields.js';
import { t } from '../texts/texts.js';
import { COLOR_SCHEMES, colorScheme } from '../theme/color-scheme.js';
import { timeZone, timeZones } from '../time/time-zone.js';

type Opened = 'password' | 'keys' | 'leave';

/** The logged-in account, and this browser's preferences. */
export function AccountMenu(): ReactNode {
  const navigate = useNavigate();
  const account = useSyncExternalStore(session.subscribe, session.get)?.account;
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [opened, setOpened] = useState<Opened>();
  const leave = (): void => {
    // The next user starts at the start page.
    void navigate('/', SETTLED);
    logOut();
  };
  const open = (what: Opened): void => {
    setAnchor(undefined);
    setOpened(what);
  };
  const close = (): void => setOpened(undefined);
  const name = account?.username ?? '';
  return (
    <>
      <Button
        color="inherit"
        startIcon={<AccountIcon />}
        aria-label={t('shell.account', { name })}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ maxWidth: { xs: 140, sm: 240 } }}
      >
        <span className="MuiTypography-noWrap" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {name}
        </span>
      </Button>
      <Popover
        anchorEl={anchor ?? null}
        open={anchor !== undefined}
        onClose={() => setAnchor(undefined)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t('shell.account', { name }), sx: { p: 2, width: 296 } },
        }}
      >
        <Stack sx={{ gap: 1.5 }}>
          <Typography variant="body2" color="textSecondary">
            {account && ROLE_NAMES[account.role]}
          </Typography>
          <Choice
            label={t('shell.timeZone')}
            choice={timeZone}
            options={timeZones().map((zone) => [zone, zone])}
          />
          <Choice
            label={t('shell.colorScheme')}
            choice={colorScheme}
            options={COLOR_SCHEMES.map((each) => [each, t(`shell.colorSchemes.${each}`)])}
          />
          <Stack sx={{ '& button': { justifyContent: 'start' } }}>
            <Button onClick={() => open('keys')}>{t('keys.title')}</Button>
            <Button onClick={() => open('password')}>{t('accounts.changeOwnPassword')}</Button>
            <Button onClick={() => (hasUnsavedInput() ? open('leave') : leave())}>
              {t('session.logOut')}
            </Button>
          </Stack>
        </Stack>
      </Popover>
      <KeysDialog isOpen={opened === 'keys'} onOpen={() => open('keys')} onClose={close} />
      {opened === 'password' && <PasswordDialog id="current" name={name} onClose={close} />}
      <LeaveDialog isOpen={opened === 'leave'} onStay={close} onLeave={leave} />
    </>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly choice: Remembered<T>;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Selects a preference that is stored in this browser. */
function Choice<T extends string>({ label, choice, options }: ChoiceProps<T>): ReactNode {
  const value = useSyncExternalStore(choice.subscribe, choice.get);
  return (
    <SelectField label={label} value={value} options={options} onChange={(next) => choice.set(next as T)} />
  );
}
