import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';
import { read } from '../admin-operations.js';

export const revisionList: Route = {
  name: 'admin-revision-list',
  path: '/admin/api/posts/{id}/revisions/',
  operations: { GET: read },
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};

export const revisionDetail: Route = {
  name: 'admin-revision-detail',
  path: '/admin/api/posts/{id}/revisions/{number}/',
  operations: { GET: read },
  // A number is as large as an id may be, and written alike.
  hasTarget: ({ id, number }) => isPostId(id!) && isPostId(number!),
  needsSession: true,
};
