import { HTML_TYPE } from '../http/media-types.js';
import type { Route } from '../http/route.js';

export const adminPage: Route = {
  name: 'admin',
  path: '/admin/',
  operations: { GET: { produces: [{ mediaType: HTML_TYPE }] } },
};
