import { pageFields } from '../http/response/head.js';

/**
 * The strictest policy under which Swagger UI works. It loads and requests only its own resources, and the page has no
 * inline script or style. The arrows and icons of its style sheet are `data:` images. `upgrade-insecure-requests` is
 * absent because the service also runs on plain http.
 */
export const PAGE_FIELDS = pageFields([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]);
