import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { ROLE_NAMES } from './accounts/account.js';
import { queryClient, refreshAccount, session } from './api/client.js';
import { LogInAgainDialog, LogInPage } from './session/log-in.js';
import { OpenDialog } from './shell/dialogs.js';
import { Layout } from './shell/layout.js';
import { Notices, notify } from './shell/notices.js';
import { useIsDark } from './theme/color-scheme.js';
import { DARK, LIGHT } from './theme/theme.js';
import { useObservable } from './api/observable.js';

/** The site: shows the requested page to a logged-in user, and the log-in at the same URL otherwise. */
export function App(): ReactNode {
  const isDark = useIsDark();
  const isLoggedIn = useObservable(session) !== undefined;
  return (
    <ThemeProvider theme={isDark ? DARK : LIGHT}>
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={queryClient}>{isLoggedIn ? <Site /> : <LogInPage />}</QueryClientProvider>
    </ThemeProvider>
  );
}

function Site(): ReactNode {
  const role = useObservable(session)?.account.role;
  const { pathname } = useLocation();
  const known = useRef(role);
  useEffect(() => void refreshAccount(), []);
  useEffect(() => {
    if (role !== undefined && role !== known.current) {
      notify(`An administrator has changed your role: it is now ${ROLE_NAMES[role]}.`, { type: 'warning' });
    }
    known.current = role;
  }, [role]);
  return (
    <>
      <Layout>
        <Outlet context={useState('/posts')} />
      </Layout>
      {/* A dialog closes when its page is left. */}
      <OpenDialog key={pathname} />
      <Notices />
      <LogInAgainDialog />
    </>
  );
}
