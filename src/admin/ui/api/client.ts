import { QueryClient } from '@tanstack/react-query';
import { Api } from './api.js';
import { LogInAgain } from './log-in-again.js';
import { Session } from './session.js';

/** Where the site stands, `/admin/` below the service's prefix: the service writes it into <base href>. */
export const SITE = new URL(document.baseURI);

export const session = new Session(sessionStorage);
export const logInAgain = new LogInAgain();
export const api = new Api(new URL('..', SITE).href, session, logInAgain);

/** What was read, in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A fault is shown at once, with a button to try again; a browser that believes to be offline may well reach loopback.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Ends the session; nothing that it has read stays in the page. */
export function logOut(): void {
  void api.logOut();
  queryClient.clear();
}
