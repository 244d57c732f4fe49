import type { Plugin } from './system.js';

const KEY = 'posts-docs.token';
/** The name of the security scheme in the document. */
const SCHEME = 'bearer';

type Authorize = (given: Readonly<Record<string, { readonly value?: string }>>) => void;
type LogOut = (schemes: readonly string[]) => void;

/** Keeps the entered token while the tab is open, so that a reload does not ask for it again. */
export const sessionToken: Plugin = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize:
          (original: Authorize): Authorize =>
          (given) => {
            const token = given[SCHEME]?.value;
            if (token !== undefined) sessionStorage.setItem(KEY, token);
            original(given);
          },
        logout:
          (original: LogOut): LogOut =>
          (schemes) => {
            sessionStorage.removeItem(KEY);
            original(schemes);
          },
      },
    },
  },
});

export function restoreToken(authorize: (scheme: string, token: string) => void): void {
  const token = sessionStorage.getItem(KEY);
  if (token !== null) authorize(SCHEME, token);
}
