import { QueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Admin, CustomRoutes, memoryStore } from 'react-admin';
import { Route } from 'react-router-dom';
import { authProvider } from './api/auth-provider.js';
import { LogInAgainDialog } from './session/log-in-again-dialog.js';
import { LogInPage } from './session/log-in-page.js';
import { Layout } from './shell/layout.js';
import { Loading } from './shell/loading.js';
import { NotFound } from './shell/not-found.js';
import { Notices } from './shell/notices.js';
import { SCREENS } from './shell/screens.js';
import { i18nProvider } from './texts/texts.js';
import { DARK, LIGHT } from './theme/theme.js';

const queryClient = new QueryClient({
  defaultOptions: {
    // A fault is shown at once, with a button to try again; a browser that believes to be offline may well reach loopback.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

export function App(): ReactNode {
  // In memory: react-admin's usual store would keep lists and selections in localStorage after the tab is closed.
  const [store] = useState(() => memoryStore());
  return (
    <Admin
      disableTelemetry
      requireAuth
      store={store}
      queryClient={queryClient}
      authProvider={authProvider}
      i18nProvider={i18nProvider}
      lightTheme={LIGHT}
      darkTheme={DARK}
      layout={Frame}
      loginPage={LogInPage}
      loading={Loading}
      notification={Notices}
      catchAll={NotFound}
    >
      <CustomRoutes>
        {SCREENS.map(({ path, Component }) => (
          <Route key={path} path={path} element={<Component />} />
        ))}
      </CustomRoutes>
    </Admin>
  );
}

function Frame({ children }: { children?: ReactNode }): ReactNode {
  return (
    <>
      <Layout>{children}</Layout>
      <LogInAgainDialog />
    </>
  );
}
