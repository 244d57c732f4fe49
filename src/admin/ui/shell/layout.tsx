import { mdiMenu } from '@mdi/js';
import {
  AppBar,
  Box,
  Button,
  Drawer,
  IconButton,
  List,
  ListItem,
  ListItemButton,
  ListItemIcon,
  ListItemText,
  Toolbar,
  Typography,
} from '@mui/material';
import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { api } from '../api/client.js';
import { useObservable } from '../api/observable.js';
import { useMay } from '../api/roles.js';
import { Icon } from './icon.js';
import { Loading, LoadingBar } from './loaded.js';
import { useIsPhone } from './page.js';
import { SCREENS } from './screens.js';

const MENU_WIDTH = 224;

const HOME = {
  display: 'flex',
  alignItems: 'center',
  gap: 1.25,
  flexGrow: 1,
  minWidth: 0,
  fontWeight: 650,
  color: 'inherit',
  textDecoration: 'none',
} as const;

export interface LayoutProps {
  /** Shown at the end of the bar. */
  readonly accountMenu: ReactNode;
  readonly children: ReactNode;
}

/** A column, so that a page can fill the window. */
const MAIN = { flexGrow: 1, minWidth: 0, outline: 'none', display: 'flex', flexDirection: 'column' } as const;

/** The frame of every page: the bar, the menu (behind a button on small screens) and the page. */
export function Layout({ accountMenu, children }: LayoutProps): ReactNode {
  const isWide = !useIsPhone();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);

  return (
    <Box sx={{ display: 'flex', minHeight: '100vh', backgroundColor: 'background.default' }}>
      <SkipLink target={main} />
      <AppBar
        position="fixed"
        elevation={0}
        sx={{
          zIndex: (theme) => theme.zIndex.drawer + 1,
          backgroundColor: 'background.paper',
          color: 'text.primary',
          borderBottom: 1,
          borderColor: 'divider',
        }}
      >
        <Toolbar variant="dense" sx={{ minHeight: 56, gap: 1 }}>
          {!isWide && (
            <IconButton edge="start" aria-label="Open the menu" onClick={() => setMenuOpen(true)}>
              <Icon path={mdiMenu} />
            </IconButton>
          )}
          <Typography component={Link} to="/" noWrap sx={HOME}>
            <img src="assets/icon-1.svg" alt="" width={28} height={28} />
            <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
              Posts administration
            </Box>
          </Typography>
          {accountMenu}
        </Toolbar>
      </AppBar>
      <Busy />
      <Drawer
        variant={isWide ? 'permanent' : 'temporary'}
        open={isWide || isMenuOpen}
        onClose={() => setMenuOpen(false)}
        sx={{ width: isWide ? MENU_WIDTH : 0, flexShrink: 0 }}
        slotProps={{ paper: { sx: { width: MENU_WIDTH } } }}
      >
        <Toolbar variant="dense" sx={{ minHeight: 56 }} />
        <Menu onChoice={() => setMenuOpen(false)} />
      </Drawer>
      <Box component="main" ref={main} tabIndex={-1} sx={MAIN}>
        <Toolbar variant="dense" sx={{ minHeight: 56 }} />
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </Box>
    </Box>
  );
}

/** Shows that a request waits for its response: every click has an answer, also on a slow network. */
function Busy(): ReactNode {
  return useObservable(api.pending) > 0 && <LoadingBar />;
}

function Menu({ onChoice }: { onChoice: () => void }): ReactNode {
  const may = useMay();
  const { pathname } = useLocation();
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
                  selected={isBelow(pathname, path)}
                  sx={{ borderRadius: 1, mb: 0.25, gap: 1.5 }}
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

function isBelow(pathname: string, path: string): boolean {
  return pathname === path || (path !== '/' && pathname.startsWith(`${path}/`));
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
