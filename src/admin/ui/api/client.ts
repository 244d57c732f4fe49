import { focusManager, QueryClient, queryOptions } from '@tanstack/react-query';
import { Api, type Query } from './api.js';
import { KEYS, type QueryKey } from './keys.js';
import { Session } from './session.js';

/** The URL of the site, `/admin/` below the service's prefix, from the <base href> that the service writes. */
export const SITE = new URL(document.baseURI);

export const session = new Session(sessionStorage, SITE.pathname);
export const api = new Api(
  new URL('..', SITE).href,
  session,
  () => void queryClient.invalidateQueries({ queryKey: KEYS.account }),
);

// What is shown is read again when the tab is shown, and also when its window, which may have been beside another one all the
// time, gets the focus.
focusManager.setEventListener((onFocus) => {
  const focus = (): void => onFocus(document.visibilityState === 'visible');
  window.addEventListener('focus', focus);
  document.addEventListener('visibilitychange', focus);
  return () => {
    window.removeEventListener('focus', focus);
    document.removeEventListener('visibilitychange', focus);
  };
});

/** Caches responses, in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Errors are shown at once, with a button to retry. A browser that reports itself offline may still reach loopback.
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Whether the service responds. */
export function isReachable(): Promise<boolean> {
  return fetch(SITE, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A query of JSON. @param path as for {@link Api.send} */
export function jsonQuery<T>(queryKey: QueryKey, path: string, query: Query = {}) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => api.json<T>(path, { query, signal }) });
}

// Also when another tab has logged out.
session.subscribe(() => {
  if (session.get() === undefined) queryClient.clear();
});
