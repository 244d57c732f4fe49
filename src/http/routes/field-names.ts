/** The request header fields that an operation can declare; the room openapi describes each. */
export type RequestField =
  | 'X-Request-Id'
  | 'If-Match'
  | 'If-None-Match'
  | 'If-Modified-Since'
  | 'If-Unmodified-Since'
  | 'Idempotency-Key'
  | 'Last-Event-ID'
  | 'Prefer';

/** The response header fields that an operation can declare; the room openapi describes each. */
export type ResponseField =
  | 'X-Request-Id'
  | 'ETag'
  | 'Last-Modified'
  | 'Location'
  | 'Link'
  | 'X-Total-Count'
  | 'Preference-Applied'
  | 'X-Accel-Buffering'
  | 'Allow'
  | 'Accept-Post'
  | 'Retry-After'
  | 'Idempotency-Replayed'
  | 'RateLimit-Policy'
  | 'RateLimit'
  | 'WWW-Authenticate';
