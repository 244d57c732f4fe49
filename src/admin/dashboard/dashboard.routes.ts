import type { Route } from '../../http/route.js';
import { read } from '../admin-operations.js';

export const dashboard: Route = {
  name: 'admin-dashboard',
  path: '/admin/api/dashboard/',
  operations: { GET: read },
  needsSession: true,
};
