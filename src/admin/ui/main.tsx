import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { SITE } from './api/client.js';
import { App } from './app.js';
import { NotFound } from './shell/not-found.js';
import { SCREENS } from './shell/screens.js';

// Only a data router can block a navigation that would lose unsaved input.
const router = createBrowserRouter(
  [{ Component: App, children: [...SCREENS, { path: '*', Component: NotFound }] }],
  { basename: SITE.pathname.replace(/\/$/, '') },
);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root.');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
