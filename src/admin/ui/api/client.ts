import { QueryClient } from '@tanstack/react-query';
import type { SessionDto } from '../../sessions.controller.js';
import { Api, CURRENT_SESSION } from './api.js';
import { LogInAgain } from './log-in-again.js';
import { browserStore } from './remembered.js';
import { Session } from './session.js';

/** The URL of the site, `/admin/` below the service's prefix, from the <base href> that the service writes. */
export const SITE = new URL(document.baseURI);

export const session = new Session(sessionStorage, SITE.pathname);
export const logInAgain = new LogInAgain();
export const api = new Api(new URL('..', SITE).href, session, logInAgain, () => void refreshAccount());

/** Caches responses, in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Errors are shown at once, with a button to retry. A browser that reports itself offline may still reach loopback.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// Also when another tab has logged in or out.
session.subscribe(() => {
  if (session.get() !== undefined) return logInAgain.done();
  logInAgain.giveUp();
  queryClient.clear();
});

/** Reads the account again: its role may have changed. Without a response, the role stays as it was. */
export async function refreshAccount(): Promise<void> {
  const current = session.get();
  if (current === undefined) return;
  try {
    const { account } = await api.json<SessionDto>(CURRENT_SESSION);
    if (session.get() === current) session.start({ ...current, account });
  } catch {
    // The request that failed before has said what is wrong.
  }
}

/** The storage key of text that the account has typed and not saved. */
export function draftKey(name: string): string {
  return `posts-admin.draft.${session.get()?.account.id}.${name}`;
}

/** Ends the session in all tabs, and removes drafts from the browser. */
export function logOut(): void {
  for (const key of browserStore.keys()) if (key.startsWith(draftKey(''))) browserStore.remove(key);
  void api.logOut();
}
