import type { AuthProvider } from 'react-admin';
import { api, session } from './client.js';
import { NotLoggedIn } from './problem.js';

/** react-admin's way to the session. That a token has ended is the client's matter, see api.ts; here it ends no page. */
export const authProvider: AuthProvider = {
  login: ({ username, password }: { username: string; password: string }) => api.logIn(username, password),

  logout: () => api.logOut(),

  async checkAuth() {
    // A page that is open may outlive its token: the next request asks to log in again, over what is on the screen.
    if (session.current === undefined) throw Object.assign(new NotLoggedIn(), { message: false });
  },

  // Only react-admin's own data hooks would ask, and the site has none.
  checkError: () => Promise.resolve(),
};
