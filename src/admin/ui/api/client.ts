import { QueryClient } from '@tanstack/react-query';
import { Api } from './api.js';
import { LogInAgain } from './log-in-again.js';
import { browserStore } from './remembered.js';
import { Session, type SessionToken } from './session.js';

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

/** An account may have got another role since it logged in. */
export async function refreshAccount(): Promise<void> {
  const current = session.get();
  if (current === undefined) return;
  const { account } = await api.json<SessionToken>('admin/api/sessions/current/');
  if (session.get() === current) session.start({ ...current, account });
}

/** Under which this browser keeps a text that the account has not saved. */
export function draftKey(name: string): string {
  return `posts-admin.draft.${session.get()?.account.id}.${name}`;
}

/** Ends the session; nothing that it has read stays in the page, and nothing that was typed in the browser. */
export function logOut(): void {
  for (const key of browserStore.keys()) if (key.startsWith(draftKey(''))) browserStore.remove(key);
  void api.logOut();
  queryClient.clear();
}
