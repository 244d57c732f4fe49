import { StrictMode } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { SITE } from './api/client.js';
import { App } from './app.js';
import { BrokenPage } from './shell/broken-page.js';
import { Allowed, NotFound } from './shell/not-found.js';
import { SCREENS } from './shell/screens.js';

const pages = SCREENS.map(({ path, role, Component }) => ({
  path,
  element: (
    <Allowed role={role}>
      <Component />
    </Allowed>
  ),
}));

// Only a data router can block a navigation that would lose unsaved input.
const router = createBrowserRouter(
  [
    {
      Component: App,
      // Below the site's frame, which stays when a page fails.
      children: [{ ErrorBoundary: BrokenPage, children: [...pages, { path: '*', Component: NotFound }] }],
    },
  ],
  { basename: SITE.pathname.replace(/\/$/, '') },
);

/** The site at its addresses. */
export const site = (
  <StrictMode>
    {/* A click shows at once that the next page is loading; a transition would keep the old page until it has. */}
    <RouterProvider router={router} useTransitions={false} />
  </StrictMode>
);
