import { JSON_TYPE, PROBLEM_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';
import { isPostId } from '../../posts/post-id.js';

const json = { mediaType: JSON_TYPE };

export const deletedPostList: Route = {
  name: 'admin-deleted-post-list',
  path: '/admin/api/deleted-posts/',
  operations: { GET: { produces: [json] } },
  needsSession: true,
};

export const deletedPostDetail: Route = {
  name: 'admin-deleted-post-detail',
  path: '/admin/api/deleted-posts/{id}/',
  operations: { DELETE: { produces: [json, { mediaType: PROBLEM_TYPE }] } },
  hasTarget: ({ id }) => isPostId(id!),
  needsSession: true,
};
