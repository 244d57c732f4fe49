import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { PasswordDialog } from '../accounts/password-dialog.js';
import { ROLE_NAMES } from '../accounts/account.js';
import { api, logOut, session } from '../api/client.js';
import type { Remembered } from '../api/remembered.js';
import { AccountIcon } from '../shell/icons.js';
import { KeysDialog } from '../shell/keys-dialog.js';
import { LeaveDialog } from '../shell/dialogs.js';
import { hasUnsavedInput, SETTLED } from '../shell/leave-guard.js';
import { notifyFailure } from '../shell/notices.js';
import { SelectField } from '../shell/fields.js';
import { COLOR_SCHEMES, colorScheme } from '../theme/color-scheme.js';
import { timeZone, timeZones } from '../time/time-zone.js';

type Opened = 'password' | 'keys' | 'leave' | 'leaveEverywhere';

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
  const leaveEverywhere = (): void =>
    void notifyFailure(api.send('admin/api/sessions/', { method: 'DELETE' }).then(leave));
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
        aria-label={`Account ${name}`}
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
          paper: { role: 'dialog', 'aria-label': `Account ${name}`, sx: { p: 2, width: 296 } },
        }}
      >
        <Stack sx={{ gap: 1.5 }}>
          <Typography variant="body2" color="textSecondary">
            {account && ROLE_NAMES[account.role]}
          </Typography>
          <Choice label="Time zone" choice={timeZone} options={timeZones().map((zone) => [zone, zone])} />
          <Choice
            label="Appearance"
            choice={colorScheme}
            options={COLOR_SCHEMES.map((each) => [
              each,
              { system: 'System', light: 'Light', dark: 'Dark' }[each],
            ])}
          />
          <Stack sx={{ '& button': { justifyContent: 'start' } }}>
            <Button onClick={() => open('keys')}>Keys</Button>
            <Button onClick={() => open('password')}>Change my password</Button>
            <Button onClick={() => (hasUnsavedInput() ? open('leave') : leave())}>Log out</Button>
            <Button onClick={() => (hasUnsavedInput() ? open('leaveEverywhere') : leaveEverywhere())}>
              Log out everywhere
            </Button>
          </Stack>
        </Stack>
      </Popover>
      <KeysDialog isOpen={opened === 'keys'} onOpen={() => open('keys')} onClose={close} />
      {opened === 'password' && <PasswordDialog id="current" name={name} onClose={close} />}
      <LeaveDialog
        isOpen={opened === 'leave' || opened === 'leaveEverywhere'}
        onStay={close}
        onLeave={opened === 'leave' ? leave : leaveEverywhere}
      />
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
