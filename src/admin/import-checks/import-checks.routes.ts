import { NDJSON_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';
import { read } from '../admin-operations.js';

export const importCheckList: Route = {
  name: 'admin-import-check-list',
  path: '/admin/api/import-checks/',
  operations: { POST: { ...read, consumes: [NDJSON_TYPE], streams: [NDJSON_TYPE] } },
  needsSession: true,
};
