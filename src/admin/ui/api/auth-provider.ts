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

  async checkError(error: unknown) {
    if (error instanceof NotLoggedIn) throw Object.assign(new NotLoggedIn(), { message: false });
  },

  async getIdentity() {
    const account = session.current?.account;
    return { id: account?.id ?? 0, fullName: account?.username ?? '' };
  },
};
