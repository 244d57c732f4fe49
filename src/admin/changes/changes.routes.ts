import { JSON_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';

export const changeList: Route = {
  name: 'admin-change-list',
  path: '/admin/api/changes/',
  operations: { GET: { produces: [{ mediaType: JSON_TYPE }] } },
  needsSession: true,
};
