import type { Route } from '../../http/route.js';
import { write } from '../admin-operations.js';

export const restorationList: Route = {
  name: 'admin-restoration-list',
  path: '/admin/api/restorations/',
  operations: { POST: write },
  needsSession: true,
};
