import { pageFields } from '../http/response/head.js';

/**
 * As strict as Swagger UI can stand: all it loads and asks is its own, no script or style stands in the page; the
 * arrows and icons of its style sheet are `data:` images. It has no `upgrade-insecure-requests`, because the service is
 * used on plain http, too.
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
