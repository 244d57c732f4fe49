import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';
import { read, remove, write } from '../admin-operations.js';

export const apiTokenList: Route = {
  name: 'admin-api-token-list',
  path: '/admin/api/tokens/',
  operations: { GET: read, POST: write },
  needsSession: true,
};

export const apiTokenDetail: Route = {
  name: 'admin-api-token-detail',
  path: '/admin/api/tokens/{id}/',
  operations: { DELETE: remove },
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};
