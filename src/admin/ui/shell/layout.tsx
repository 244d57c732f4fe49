import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Toolbar from '@mui/material/Toolbar';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { MenuIcon } from './icons.js';
import { AccountMenu } from '../session/account-menu.js';
import { t } from '../texts/texts.js';
import { Loading } from './loading.js';
import { Menu } from './menu.js';
import { PageErrorBoundary } from './page-error-boundary.js';
import { SkipLink } from './skip-link.js';

const MENU_WIDTH = 224;

/** The frame of every page: the bar, the menu (behind a button on small screens), and the page itself. */
export function Layout({ children }: { children?: ReactNode }): ReactNode {
  const { pathname } = useLocation();
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true });
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
            <IconButton edge="start" aria-label={t('shell.openMenu')} onClick={() => setMenuOpen(true)}>
              <MenuIcon />
            </IconButton>
          )}
          <Typography
            component={Link}
            to="/"
            noWrap
            sx={{ flexGrow: 1, fontWeight: 650, color: 'inherit', textDecoration: 'none' }}
          >
            {t('shell.siteTitle')}
          </Typography>
          <AccountMenu />
        </Toolbar>
      </AppBar>
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
      <Box component="main" ref={main} tabIndex={-1} sx={{ flexGrow: 1, minWidth: 0, outline: 'none' }}>
        <Toolbar variant="dense" sx={{ minHeight: 56 }} />
        <PageErrorBoundary key={pathname}>
          <Suspense fallback={<Loading />}>{children}</Suspense>
        </PageErrorBoundary>
      </Box>
    </Box>
  );
}
