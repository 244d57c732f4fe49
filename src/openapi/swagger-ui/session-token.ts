import type { Data, Plugin } from './system.js';

const KEY = 'posts-docs.authorized';

/**
 * Keeps the entered token while the tab is open, so that a reload does not ask for it again. Swagger UI's own
 * `persistAuthorization` would keep it for ever, in localStorage.
 */
export const sessionToken: Plugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        persistAuthorizationIfNeeded:
          (_original: never, { authSelectors }: { authSelectors: { authorized(): Data } }) =>
          () =>
            sessionStorage.setItem(KEY, JSON.stringify(authSelectors.authorized())),
      },
    },
  },
});

export function storedAuthorization(): unknown {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
}
