import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';
import { read, remove } from '../admin-operations.js';

export const deletedPostList: Route = {
  name: 'admin-deleted-post-list',
  path: '/admin/api/deleted-posts/',
  operations: { GET: read },
  needsSession: true,
};

export const deletedPostDetail: Route = {
  name: 'admin-deleted-post-detail',
  path: '/admin/api/deleted-posts/{id}/',
  operations: { DELETE: remove },
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};
