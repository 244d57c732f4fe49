import { mdiAccountCircleOutline } from '@mdi/js';
import { Button, Popover, Stack, Typography } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PasswordDialog } from '../accounts/password-dialog.js';
import { api } from '../api/client.js';
import { removeDrafts } from '../api/draft-store.js';
import { useObservable } from '../api/observable.js';
import { ROLE_NAMES, useAccount } from '../api/roles.js';
import { hasUnsavedInput } from '../api/unsaved-input.js';
import { LeaveDialog, useDialog } from '../shell/dialogs.js';
import { SelectField } from '../shell/fields.js';
import { Icon } from '../shell/icon.js';
import { SETTLED } from '../shell/leave-guard.js';
import { useBackCloses } from '../shell/navigation-guards.js';
import { notifyFailure } from '../shell/notices.js';
import { COLOR_SCHEMES, type ColorScheme, colorScheme } from '../theme/color-scheme.js';
import { timeZone, timeZones, useTimeZone } from '../time/time-zone.js';

/** The logged-in account, and this browser's preferences. */
export function AccountMenu(): ReactNode {
  const { username, role } = useAccount();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [dialog, open] = useDialog();
  const navigate = useNavigate();
  const close = (): void => setAnchor(undefined);
  useBackCloses(anchor !== undefined, close);
  const logOut = async (isEverywhere: boolean): Promise<void> => {
    if (isEverywhere) await api.send('admin/api/sessions/', { method: 'DELETE' });
    // The next user starts at the start page.
    void navigate('/', { state: SETTLED });
    removeDrafts();
    void api.logOut();
  };
  const leave = (isEverywhere: boolean): void => {
    const run = (): Promise<void> => logOut(isEverywhere);
    if (hasUnsavedInput()) open(<LeaveDialog run={run} />);
    else void notifyFailure(run());
  };
  return (
    <>
      <Button
        color="inherit"
        startIcon={<Icon path={mdiAccountCircleOutline} />}
        aria-label={`Account ${username}`}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ maxWidth: { xs: 140, md: 240 }, flexShrink: 0 }}
      >
        <Typography component="span" variant="inherit" noWrap>
          {username}
        </Typography>
      </Button>
      <Popover
        anchorEl={anchor ?? null}
        open={anchor !== undefined}
        onClose={close}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': `Account ${username}`, sx: { p: 2, width: 296 } },
        }}
      >
        <Stack sx={{ gap: 1.5 }}>
          <Typography variant="body2" color="textSecondary">
            {ROLE_NAMES[role]}
          </Typography>
          <Preferences />
          <Stack onClick={close} sx={{ '& button': { justifyContent: 'start' } }}>
            <Button onClick={() => open(<PasswordDialog id="current" name={username} />)}>
              Change my password
            </Button>
            <Button onClick={() => leave(false)}>Log out</Button>
            <Button onClick={() => leave(true)}>Log out everywhere</Button>
          </Stack>
        </Stack>
      </Popover>
      {dialog}
    </>
  );
}

/** It lists all time zones, so it is rendered only while the menu is open. */
function Preferences(): ReactNode {
  return (
    <>
      <SelectField
        label="Time zone"
        value={useTimeZone()}
        options={timeZones().map((zone) => [zone, zone])}
        onChange={(zone) => timeZone.set(zone)}
      />
      <SelectField
        label="Appearance"
        value={useObservable(colorScheme)}
        options={Object.entries(COLOR_SCHEMES)}
        onChange={(scheme) => colorScheme.set(scheme as ColorScheme)}
      />
    </>
  );
}
