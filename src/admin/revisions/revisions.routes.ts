import { JSON_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';

const read = { GET: { produces: [{ mediaType: JSON_TYPE }] } };

export const revisionList: Route = {
  name: 'admin-revision-list',
  path: '/admin/api/posts/{id}/revisions/',
  operations: read,
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};

export const revisionDetail: Route = {
  name: 'admin-revision-detail',
  path: '/admin/api/posts/{id}/revisions/{number}/',
  operations: read,
  // A number is as large as an id may be, and written alike.
  hasTarget: ({ id, number }) => isPostId(id!) && isPostId(number!),
  needsSession: true,
};
