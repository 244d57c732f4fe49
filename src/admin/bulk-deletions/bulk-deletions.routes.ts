import { NDJSON_TYPE } from '../../http/media-types.js';
import type { Route } from '../../http/route.js';
import { write } from '../admin-operations.js';

export const bulkDeletionList: Route = {
  name: 'admin-bulk-deletion-list',
  path: '/admin/api/bulk-deletions/',
  operations: { POST: { ...write, produces: [{ mediaType: NDJSON_TYPE }] } },
  needsSession: true,
};
