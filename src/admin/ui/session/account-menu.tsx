import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { logOut, session } from '../api/client.js';
import { AccountIcon } from '../shell/icons.js';
import { hasUnsavedInput, LeaveDialog, SETTLED } from '../shell/leave-guard.js';
import { t } from '../texts/texts.js';

export function AccountMenu(): ReactNode {
  const navigate = useNavigate();
  const account = useSyncExternalStore(session.subscribe, session.get)?.account;
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [isAsking, setAsking] = useState(false);
  const leave = (): void => {
    // Who logs in next begins at the start page.
    void navigate('/', SETTLED);
    logOut();
  };
  const name = account?.username ?? '';
  return (
    <>
      <Button
        color="inherit"
        startIcon={<AccountIcon />}
        aria-label={t('shell.account', { name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ maxWidth: { xs: 140, sm: 240 } }}
      >
        <span className="MuiTypography-noWrap" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {name}
        </span>
      </Button>
      <Menu anchorEl={anchor ?? null} open={anchor !== undefined} onClose={() => setAnchor(undefined)}>
        <MenuItem
          onClick={() => {
            setAnchor(undefined);
            if (hasUnsavedInput()) setAsking(true);
            else leave();
          }}
        >
          {t('session.logOut')}
        </MenuItem>
      </Menu>
      <LeaveDialog isOpen={isAsking} onStay={() => setAsking(false)} onLeave={leave} />
    </>
  );
}
