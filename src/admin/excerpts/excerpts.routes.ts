import type { Route } from '../../http/route.js';
import { read } from '../admin-operations.js';

export const excerptList: Route = {
  name: 'admin-excerpt-list',
  path: '/admin/api/excerpts/',
  operations: { GET: read },
  needsSession: true,
};
