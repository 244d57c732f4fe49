import type { Route } from '../../http/route.js';
import { read, remove, write } from '../admin-operations.js';

/** Where people log in: the one place that asks for no session. */
export const sessionList: Route = {
  name: 'admin-session-list',
  path: '/admin/api/sessions/',
  operations: { POST: write },
};

/** The session that the request's own token stands for. */
export const currentSession: Route = {
  name: 'admin-session-current',
  path: '/admin/api/sessions/current/',
  operations: { GET: read, DELETE: remove },
  needsSession: true,
};
