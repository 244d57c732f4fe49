import { CssBaseline, ThemeProvider } from '@mui/material';
import { QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useMemo } from 'react';
import { Outlet } from 'react-router';
import { queryClient, session } from './api/client.js';
import { useObservable } from './api/observable.js';
import { LogInAgainDialog, LogInPage } from './session/log-in.js';
import { keepFocus } from './shell/kept-focus.js';
import { Layout } from './shell/layout.js';
import { NavigationGuards } from './shell/navigation-guards.js';
import { Notices } from './shell/notices.js';
import { useIsDark } from './theme/color-scheme.js';
import { themeOf } from './theme/theme.js';

/** The site: shows the requested page to a logged-in user, and the log-in at the same URL otherwise. */
export function App(): ReactNode {
  const isDark = useIsDark();
  const theme = useMemo(() => themeOf(isDark), [isDark]);
  const current = useObservable(session);
  useEffect(keepFocus, []);
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={queryClient}>
        <NavigationGuards />
        {current === undefined ? (
          <LogInPage />
        ) : (
          // Another account gets pages of its own: none keeps what was typed.
          <Fragment key={current.account.id}>
            <Layout>
              <Outlet />
            </Layout>
            <Notices />
            {current.token === undefined && <LogInAgainDialog account={current.account} />}
          </Fragment>
        )}
      </QueryClientProvider>
    </ThemeProvider>
  );
}
