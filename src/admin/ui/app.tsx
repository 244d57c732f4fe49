import { CssBaseline, ThemeProvider } from '@mui/material';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { Outlet } from 'react-router';
import { queryClient, session } from './api/client.js';
import { useObservable } from './api/observable.js';
import { LogInAgainDialog, LogInPage } from './session/log-in.js';
import { Layout } from './shell/layout.js';
import { Notices } from './shell/notices.js';
import { useIsDark } from './theme/color-scheme.js';
import { themeOf } from './theme/theme.js';

/** The site: shows the requested page to a logged-in user, and the log-in at the same URL otherwise. */
export function App(): ReactNode {
  const isDark = useIsDark();
  const theme = useMemo(() => themeOf(isDark), [isDark]);
  const current = useObservable(session);
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline enableColorScheme />
      <QueryClientProvider client={queryClient}>
        {current === undefined ? (
          <LogInPage />
        ) : (
          <>
            <Layout>
              <Outlet />
            </Layout>
            <Notices />
            {current.token === undefined && <LogInAgainDialog account={current.account} />}
          </>
        )}
      </QueryClientProvider>
    </ThemeProvider>
  );
}
