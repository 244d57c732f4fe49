import type { Route } from '../../http/route.js';
import { read } from '../admin-operations.js';

export const monthList: Route = {
  name: 'admin-month-list',
  path: '/admin/api/months/',
  operations: { GET: read },
  needsSession: true,
};
