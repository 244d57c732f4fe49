/**
 * What other rooms may use of HTTP; README.md has a line of use for each. Services and repositories use only protocol/.
 * Files of this room import each other, never this file: the decorators of a class run before such a circle is complete.
 */
export { createHttpApplication } from './http-application.js';

// For handlers and their responses.
export { Access, requiredRole, WRITERS } from './routes/access.js';
export type { RequestField, ResponseField } from './routes/field-names.js';
export {
  type MediaDocs,
  Operation,
  type OperationDeclaration,
  type ResponseDocs,
} from './routes/operation.js';
export {
  CurrentUser,
  IdempotencyKey,
  IfMatch,
  CurrentClient,
  CurrentListRequest,
  UrlOfRoute,
} from './routes/handler-arguments.js';
export { ListRequest } from './routes/list-request.js';
export type { UrlOf } from './routes/route-table.js';
export type { IdempotentRequest } from './bodies/idempotent-request.js';
export type { RequestBody } from './bodies/request-body.js';
export { ApiResponse } from './response/api-response.js';
export { AssetFolder, assetResponse, fileResponse } from './response/asset-response.js';
export { Page } from './response/page.js';
export { pageFields } from './response/security-fields.js';

// For the rooms that describe or observe all requests.
export type { RouteMethod, RouteOperation } from './routes/operation.js';
export { type Route, RouteTable, WRITES } from './routes/route-table.js';
export { InFlightRequests } from './server/in-flight-requests.js';
export { RequestCounts } from './server/request-counts.js';
