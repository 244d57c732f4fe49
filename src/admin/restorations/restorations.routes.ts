import { JSON_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';

export const restorationList: Route = {
  name: 'admin-restoration-list',
  path: '/admin/api/restorations/',
  operations: { POST: { produces: [{ mediaType: JSON_TYPE }], consumes: [JSON_TYPE] } },
  needsSession: true,
};
