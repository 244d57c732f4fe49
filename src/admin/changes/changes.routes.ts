import type { Route } from '../../http/route.js';
import { read } from '../admin-operations.js';

export const changeList: Route = {
  name: 'admin-change-list',
  path: '/admin/api/changes/',
  operations: { GET: read },
  needsSession: true,
};
