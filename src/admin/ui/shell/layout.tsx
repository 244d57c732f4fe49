import { mdiMenu } from '@mdi/js';
import {
  AppBar,
  Box,
  Button,
  Drawer,
  IconButton,
  Link,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Toolbar,
} from '@mui/material';
import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { Link as RouterLink, NavLink } from 'react-router';
import { useMay } from '../api/roles.js';
import { AccountMenu } from '../session/account-menu.js';
import { Icon } from './icon.js';
import { Loading, LoadingBar } from './loaded.js';
import { useBackCloses } from './navigation-guards.js';
import { useIsPhone } from './page.js';
import { SCREENS } from './screens.js';

const MENU_WIDTH = 224;

/** A column, so that a page can fill the window. */
const MAIN = { flexGrow: 1, minWidth: 0, outline: 'none', display: 'flex', flexDirection: 'column' } as const;

/** The frame of every page: the bar, the menu (behind a button on small screens) and the page. */
export function Layout({ children }: { children: ReactNode }): ReactNode {
  const isPhone = useIsPhone();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useBackCloses(isPhone && isMenuOpen, () => setMenuOpen(false));

  return (
    <Box sx={{ display: 'flex', minHeight: '100vh', backgroundColor: 'background.default' }}>
      <SkipLink target={main} />
      <AppBar sx={{ zIndex: (theme) => theme.zIndex.drawer + 1 }}>
        <Toolbar sx={{ gap: 1 }}>
          {isPhone && (
            <IconButton edge="start" aria-label="Open the menu" onClick={() => setMenuOpen(true)}>
              <Icon path={mdiMenu} />
            </IconButton>
          )}
          <img src="assets/icon-1.svg" alt="" width={28} height={28} />
          <Link component={RouterLink} to="/" noWrap color="inherit" underline="none" sx={HOME}>
            Posts administration
          </Link>
          <AccountMenu />
        </Toolbar>
      </AppBar>
      <Busy />
      <Drawer
        variant={isPhone ? 'temporary' : 'permanent'}
        open={!isPhone || isMenuOpen}
        onClose={() => setMenuOpen(false)}
        sx={{ width: isPhone ? 0 : MENU_WIDTH, flexShrink: 0 }}
        // A browser that translates the page may write it from right to left.
        slotProps={{ paper: { sx: { width: MENU_WIDTH, left: 'auto', insetInlineStart: 0 } } }}
      >
        <Toolbar />
        <Menu onChoice={() => setMenuOpen(false)} />
      </Drawer>
      <Box component="main" ref={main} tabIndex={-1} sx={MAIN}>
        <Toolbar />
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </Box>
    </Box>
  );
}

const HOME = { mr: 'auto', fontWeight: 650 } as const;

/** Shows that a request waits for its response: every click has an answer, also on a slow network. */
function Busy(): ReactNode {
  return useIsFetching() + useIsMutating() > 0 && <LoadingBar />;
}

function Menu({ onChoice }: { onChoice: () => void }): ReactNode {
  const may = useMay();
  return (
    <Box component="nav" aria-label="Main menu">
      <List sx={{ px: 1, py: 1.5 }}>
        {SCREENS.map(
          ({ path, menu, role = 'viewer' }) =>
            menu &&
            may(role) && (
              <ListItem key={path} disablePadding>
                <ListItemButton
                  component={NavLink}
                  to={path}
                  end={path === '/'}
                  onClick={onChoice}
                  sx={{
                    borderRadius: 1,
                    mb: 0.25,
                    gap: 1.5,
                    '&.active': { backgroundColor: 'action.selected' },
                  }}
                >
                  <ListItemIcon sx={{ minWidth: 0, color: 'inherit' }}>
                    <Icon path={menu.icon} fontSize="small" />
                  </ListItemIcon>
                  <ListItemText primary={menu.label} slotProps={{ primary: { sx: { fontWeight: 500 } } }} />
                </ListItemButton>
              </ListItem>
            ),
        )}
      </List>
    </Box>
  );
}

/** Skips bar and menu. It is a button, because with <base> a link to `#main` would lead to another page. */
function SkipLink({ target }: { target: RefObject<HTMLElement | null> }): ReactNode {
  return (
    <Button
      variant="contained"
      onClick={() => target.current?.focus()}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        '&:not(:focus)': { clipPath: 'inset(50%)', width: '1px', height: '1px', minWidth: 0, p: 0 },
      }}
    >
      Skip to content
    </Button>
  );
}
