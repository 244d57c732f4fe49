import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';
import { read, write } from '../admin-operations.js';

export const accountList: Route = {
  name: 'admin-account-list',
  path: '/admin/api/accounts/',
  operations: { GET: read, POST: write },
  needsSession: true,
};

export const accountDetail: Route = {
  name: 'admin-account-detail',
  path: '/admin/api/accounts/{id}/',
  operations: { GET: read, PUT: write },
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};
