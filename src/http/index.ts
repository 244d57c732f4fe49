/**
 * What other rooms may use of HTTP; README.md has a line of use for each. Services and repositories use only protocol/.
 * Files of this room import each other, never this file: the decorators of a class run before such a circle is complete.
 */
export { createHttpApplication } from './http-application.js';

// For handlers and their responses.
export { Access, requiredRole, WRITERS } from './routes/access.js';
export {
  BodyStream,
  ClientAddress,
  CurrentAuthor,
  CurrentUser,
  IdempotencyKey,
  IfMatch,
  ListPath,
  PrefersMergedDuplicates,
  CurrentClient,
  CurrentListRequest,
  UrlOfRoute,
} from './routes/handler-arguments.js';
export { ListRequest } from './routes/list-request.js';
export type { UrlOf } from './routes/route-table.js';
export type { Client } from '../limits/index.js';
export type { IdempotentRequest } from './bodies/idempotent-request.js';
export type { RequestBody } from './bodies/request-body.js';
export { ApiResponse, contentEntityTag } from './response/api-response.js';
export { AssetFolder, assetResponse, fileResponse } from './response/asset-response.js';
export { Page } from './response/page.js';
export { pageFields } from './response/security-fields.js';

// For the rooms that describe or observe all requests.
export {
  Declaration,
  type OperationDeclaration,
  type Representation,
  type RouteMethod,
  type RouteOperation,
} from './routes/operation.js';
export { type Route, RouteTable, WRITES } from './routes/route-table.js';
export { ResponseCache } from './cache/response-cache.js';
export { InFlightRequests } from './server/in-flight-requests.js';
export { DURATION_BUCKETS, type RequestCount, RequestCounts } from './server/request-counts.js';
