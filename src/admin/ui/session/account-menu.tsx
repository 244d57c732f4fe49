import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PasswordDialog } from '../accounts/password-dialog.js';
import { ROLE_NAMES } from '../accounts/account.js';
import { api, logOut, session } from '../api/client.js';
import { useObservable } from '../api/observable.js';
import { AccountIcon } from '../shell/icons.js';
import { askToLeave, openDialog } from '../shell/dialogs.js';
import { useKey } from '../shell/keys.js';
import { showKeys } from '../shell/keys-dialog.js';
import { hasUnsavedInput, SETTLED } from '../shell/leave-guard.js';
import { notifyFailure } from '../shell/notices.js';
import { SelectField } from '../shell/fields.js';
import { COLOR_SCHEMES, type ColorScheme, colorScheme } from '../theme/color-scheme.js';
import { timeZone, timeZones, useTimeZone } from '../time/time-zone.js';

/** The logged-in account, and this browser's preferences. */
export function AccountMenu(): ReactNode {
  const navigate = useNavigate();
  const account = useObservable(session)?.account;
  const [anchor, setAnchor] = useState<HTMLElement>();
  useKey('?', 'Show the keys', showKeys);
  const logOutHere = (): void => {
    // The next user starts at the start page.
    void navigate('/', SETTLED);
    logOut();
  };
  const logOutEverywhere = (): void =>
    void notifyFailure(api.send('admin/api/sessions/', { method: 'DELETE' }).then(logOutHere));
  const name = account?.username ?? '';
  const changePassword = (): void =>
    openDialog((close) => <PasswordDialog id="current" name={name} close={close} />);
  return (
    <>
      <Button
        color="inherit"
        startIcon={<AccountIcon />}
        aria-label={`Account ${name}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ maxWidth: { xs: 140, sm: 240 }, flexShrink: 0 }}
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
          <SelectField
            label="Time zone"
            value={useTimeZone()}
            options={timeZones().map((zone) => [zone, zone])}
            onChange={(zone) => timeZone.set(zone)}
          />
          <SelectField
            label="Appearance"
            value={useObservable(colorScheme)}
            options={COLOR_SCHEMES.map((each) => [
              each,
              { system: 'System', light: 'Light', dark: 'Dark' }[each],
            ])}
            onChange={(scheme) => colorScheme.set(scheme as ColorScheme)}
          />
          <Stack onClick={() => setAnchor(undefined)} sx={{ '& button': { justifyContent: 'start' } }}>
            <Button onClick={showKeys}>Keys</Button>
            <Button onClick={changePassword}>Change my password</Button>
            <Button onClick={() => leave(logOutHere)}>Log out</Button>
            <Button onClick={() => leave(logOutEverywhere)}>Log out everywhere</Button>
          </Stack>
        </Stack>
      </Popover>
    </>
  );
}

function leave(run: () => void): void {
  if (hasUnsavedInput()) askToLeave({ run });
  else run();
}
