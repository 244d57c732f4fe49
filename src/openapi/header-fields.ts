import { COMPONENT_NAME, type Header, type Parameter, type Schema } from './document-types.js';

/** Request header fields. OpenAPI itself documents `Accept`, `Content-Type` and `Authorization`. */
export const REQUEST_ID = sent(
  'X-Request-Id',
  'The id of the request in the log and in the response. A well-formed id from the client is kept.',
  'import-2026-11-20',
  { maxLength: 128 },
);

export const IF_NONE_MATCH = sent(
  'If-None-Match',
  'The ETag of the representation that the client has. If it is still current, the response is 304 without a body.',
  '"7-1"',
);

export const IF_MATCH = sent(
  'If-Match',
  'The ETag of the version that the client wants to change. If another version is stored, the response is 412.',
  '"7-1"',
);

export const IF_MATCH_ON_READ: Parameter = {
  [COMPONENT_NAME]: 'If-Match-on-read',
  ...sent(
    'If-Match',
    'The ETag that the response must have, in any content coding. With another ETag, the response is 412.',
    '"7-1"',
  ),
};

export const IF_MODIFIED_SINCE = sent(
  'If-Modified-Since',
  'The Last-Modified of the representation that the client has. If nothing has changed since, the response is 304 without a body. Used only without If-None-Match; an invalid date is ignored.',
  'Fri, 20 Nov 2026 14:40:00 GMT',
);

export const IF_UNMODIFIED_SINCE = sent(
  'If-Unmodified-Since',
  'The Last-Modified of the representation that the client has read. If it has changed since, or may have within that second, the response is 412. Used only without If-Match; an invalid date is ignored.',
  'Fri, 20 Nov 2026 14:40:00 GMT',
);

export const IDEMPOTENCY_KEY = sent(
  'Idempotency-Key',
  'A key that the client chooses, such as a UUID. Requests with the same key and the same body are executed once; repetitions get the first response, for 24 hours.',
  '8e03978e-40d5-43dd-bc93-6894a57f9324',
  { minLength: 1, maxLength: 257 },
);

export const PREFER_COUNT: Parameter = {
  [COMPONENT_NAME]: 'Prefer-count',
  ...sent(
    'Prefer',
    '`count=exact` requests X-Total-Count; without it posts are not counted (RFC 7240).',
    'count=exact',
  ),
};

export const PREFER_RETURN: Parameter = {
  [COMPONENT_NAME]: 'Prefer-return',
  ...sent(
    'Prefer',
    '`return=minimal` leaves out the body of a success (RFC 7240); `Preference-Applied` confirms it.',
    'return=minimal',
  ),
};

function sent(name: string, description: string, example: string, schema?: Schema): Parameter {
  return { name, in: 'header', description, schema: { type: 'string', ...schema, examples: [example] } };
}

/** The schema of a value, beside the type, and an example. */
type ValueDocs = Schema & { readonly example?: unknown };

/** A field that is always present in a response that refers to it. */
function always(description: string, value?: ValueDocs): Header {
  return { description, required: true, ...sometimes(description, value) };
}

function sometimes(description: string, { example, ...schema }: ValueDocs = {}): Header {
  return {
    description,
    schema: { type: 'string', ...schema },
    ...(example !== undefined && { example }),
  };
}

export const RESPONSE_HEADERS = {
  'X-Request-Id': always('The id of the request in the log. A well-formed id from the client is kept.', {
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
    pattern: '^[\\w.~:=+/@-]{1,128}$',
  }),
  'X-Content-Type-Options': always('Makes browsers use the Content-Type as it is.', { enum: ['nosniff'] }),
  ETag: sometimes(
    'Identifies this version of this representation. Send it back in `If-None-Match` or `If-Match`. The response to an import has none.',
    { example: '"7-1"', pattern: '^"[!#-~]+"$' },
  ),
  'Last-Modified': sometimes(
    'The time of the last change; for a list, of any post, deletions included. After several changes in one second, it becomes the next second, a few seconds later.',
    { example: 'Fri, 20 Nov 2026 14:40:00 GMT' },
  ),
  'Cache-Control': always(
    '`no-cache`: may be stored, but must be revalidated before use. `no-store`: must not be stored.',
    { enum: ['no-cache', 'no-store'] },
  ),
  Vary: always('The request header fields that this response depends on.', {
    example: 'Accept, Accept-Encoding',
  }),
  'Content-Encoding': sometimes(
    'The compression of the body. Bodies over 1 KiB are compressed when `Accept-Encoding` allows it.',
    { enum: ['br', 'gzip'] },
  ),
  Location: always('The address of the new resource, of the list after an import, or of a redirect.', {
    example: 'http://127.0.0.1:3000/posts/7/',
    format: 'uri',
  }),
  Link: sometimes(
    'Links (RFC 8288): `next`, `prev` and `first` on a page of a list, `service-desc` and `service-doc` at the entry point.',
    { example: '<http://127.0.0.1:3000/posts/>; rel="first"' },
  ),
  'X-Total-Count': sometimes('The number of entries in the whole list. Present with `Prefer: count=exact`.', {
    example: 128,
    type: 'integer',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  'Preference-Applied': sometimes('The preference that was applied (RFC 7240).', {
    enum: ['count=exact', 'return=minimal'],
  }),
  Allow: always('The methods of this path.', { example: 'GET, HEAD, OPTIONS' }),
  'Accept-Post': always('The media types that are accepted.', {
    example: 'application/json, application/x-www-form-urlencoded, multipart/form-data',
  }),
  'Accept-Encoding': sometimes(
    'The content codings that are accepted. Present when `Content-Encoding` was the fault.',
    { example: 'gzip, deflate, br' },
  ),
  'Retry-After': always('The number of seconds to wait before a retry.', {
    example: 1,
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  'Idempotency-Replayed': sometimes(
    '`true` when this is the first response to the same Idempotency-Key, repeated.',
    { enum: ['true'] },
  ),
  'RateLimit-Policy': sometimes(
    'The quota of requests and the window in seconds. Present when RATE_LIMIT is set, except on a preflight.',
    { example: '"client";q=600;w=60' },
  ),
  RateLimit: sometimes(
    'The remaining requests, and the remaining seconds of the window. Present with `RateLimit-Policy`.',
    { example: '"client";r=599;t=60' },
  ),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', { example: 'Bearer realm="posts"' }),
  'Content-Security-Policy': always(
    'Limits what a browser may load: nothing for responses of the API, only files of this service for pages.',
    { example: "default-src 'none'; frame-ancestors 'none'" },
  ),
  'X-Frame-Options': always('Keeps browsers that do not know `frame-ancestors` from showing it in a frame.', {
    enum: ['DENY'],
  }),
  'Referrer-Policy': always('Keeps browsers from sending the address of the page to other sites.', {
    enum: ['no-referrer'],
  }),
  'Cross-Origin-Resource-Policy': always(
    'Keeps browsers from loading it into pages of other origins, except for requests that CORS allows.',
    { enum: ['same-origin'] },
  ),
  'Strict-Transport-Security': sometimes(
    'Makes browsers use https from now on. Present when PUBLIC_URL is https.',
    { example: 'max-age=31536000' },
  ),
  'Cross-Origin-Opener-Policy': always('Separates the page from pages that opened it or that it opens.', {
    enum: ['same-origin'],
  }),
  'Permissions-Policy': always('Device features that the page may not use.', {
    example: 'camera=(), geolocation=()',
  }),
  'Access-Control-Allow-Origin': sometimes('The origin of the requesting page, if CORS_ORIGINS names it.', {
    example: 'https://app.example',
  }),
  'Access-Control-Expose-Headers': sometimes('The header fields that the page may read.', {
    example: 'ETag, Link, Location',
  }),
  'Access-Control-Allow-Methods': sometimes('The methods that the page may use.', {
    example: 'GET, HEAD, OPTIONS',
  }),
  'Access-Control-Allow-Headers': sometimes('The header fields that the page may send.', {
    example: 'Content-Type, If-Match',
  }),
  'Access-Control-Max-Age': sometimes('For how many seconds the result of the preflight may be cached.', {
    example: 600,
    type: 'integer',
    minimum: 0,
    maximum: 86400,
  }),
} satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Whether the document defines a header field of this name. */
export function isResponseHeader(name: string): name is ResponseHeader {
  return Object.hasOwn(RESPONSE_HEADERS, name);
}

/** The `headers` of a response: references to the components of these names. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
