import { COMPONENT_NAME, type Header, type Parameter, type Schema } from './document-types.js';

/** Request header fields. OpenAPI itself documents `Accept`, `Content-Type` and `Authorization`. */
export const REQUEST_ID = sent(
  'X-Request-Id',
  'The id of the request in the log and in the response. A well-formed one of the client is kept.',
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
    '`count=exact` asks for X-Total-Count; without it nothing is counted (RFC 7240).',
    'count=exact',
  ),
};

export const PREFER_RETURN: Parameter = {
  [COMPONENT_NAME]: 'Prefer-return',
  ...sent(
    'Prefer',
    '`return=minimal` leaves the body of a success out (RFC 7240); `Preference-Applied` confirms it.',
    'return=minimal',
  ),
};

function sent(name: string, description: string, example: string, schema?: Schema): Parameter {
  return { name, in: 'header', description, schema: { type: 'string', ...schema, examples: [example] } };
}

/** A field that is always present in a response that refers to it. */
function always(description: string, example?: unknown, schema?: Schema): Header {
  return { description, required: true, ...sometimes(description, example, schema) };
}

function sometimes(description: string, example?: unknown, schema?: Schema): Header {
  return {
    description,
    schema: { type: 'string', ...schema },
    ...(example !== undefined && { example }),
  };
}

/** All header fields that a response may have. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': always(
    'Names the request in the log. A well-formed one that the client sent is kept.',
    '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
    { pattern: String.raw`^[\w.~:=+/@-]{1,128}$` },
  ),
  'X-Content-Type-Options': always('Makes browsers use the Content-Type as it is.', undefined, {
    enum: ['nosniff'],
  }),
  ETag: sometimes(
    'Names this version of this representation. Send it back in `If-None-Match` or `If-Match`. The response to an import has none.',
    '"7-1"',
    { pattern: '^"[!#-~]+"$' },
  ),
  'Last-Modified': sometimes(
    'The time of the last change; of a list, that of any post, deletions included. If there were several changes in one second, it is the next second, some seconds later.',
    'Fri, 20 Nov 2026 14:40:00 GMT',
  ),
  'Cache-Control': always(
    '`no-cache`: keep it, but ask whether it still holds before using it. `no-store`: do not keep it.',
    undefined,
    { enum: ['no-cache', 'no-store'] },
  ),
  Vary: always('The request header fields that this response depends on.', 'Accept, Accept-Encoding'),
  'Content-Encoding': sometimes(
    'How the body is compressed: bodies over 1 KiB are, when `Accept-Encoding` asks for it.',
    undefined,
    { enum: ['br', 'gzip'] },
  ),
  Location: always('Where the client finds what it asked for.', 'http://127.0.0.1:3000/posts/7/', {
    format: 'uri',
  }),
  Link: sometimes(
    'Where to go from here (RFC 8288): `next`, `prev` and `first` on a page of posts, `service-desc` and `service-doc` at the entry point.',
    '<http://127.0.0.1:3000/posts/>; rel="first"',
  ),
  'X-Total-Count': sometimes(
    'The number of posts in the whole list; there with `Prefer: count=exact`.',
    128,
    { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ),
  'Preference-Applied': sometimes('The preference that was honoured (RFC 7240).', undefined, {
    enum: ['count=exact', 'return=minimal'],
  }),
  Allow: always('The methods of this path.', 'GET, HEAD, OPTIONS'),
  'Accept-Post': always(
    'The media types that are understood here.',
    'application/json, application/x-www-form-urlencoded, multipart/form-data',
  ),
  'Accept-Encoding': sometimes(
    'The content codings that are understood; there when the `Content-Encoding` was the fault.',
    'gzip, deflate, br',
  ),
  'Retry-After': always('The number of seconds after which it is worth to try again.', 1, {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  'Idempotency-Replayed': sometimes(
    '`true` when this is the first response to the same Idempotency-Key, repeated.',
    undefined,
    { enum: ['true'] },
  ),
  'RateLimit-Policy': sometimes(
    'How many requests a client may send in a window of how many seconds; there when RATE_LIMIT is set, but not on a preflight.',
    '"client";q=600;w=60',
  ),
  RateLimit: sometimes(
    'How many of them remain, and for how many seconds the window lasts; there with `RateLimit-Policy`.',
    '"client";r=599;t=60',
  ),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', 'Bearer realm="posts"'),
  'Content-Security-Policy': always(
    'What a browser may do with it: of the API nothing at all, of a page nothing that comes from elsewhere.',
    "default-src 'none'; frame-ancestors 'none'",
  ),
  'X-Frame-Options': always(
    'Keeps browsers that do not know `frame-ancestors` from showing it in a frame.',
    undefined,
    { enum: ['DENY'] },
  ),
  'Referrer-Policy': always(
    'Keeps browsers from sending the address of the page to other sites.',
    undefined,
    {
      enum: ['no-referrer'],
    },
  ),
  'Cross-Origin-Resource-Policy': always(
    'Keeps browsers from loading it into pages of other origins, but for requests that CORS allows.',
    undefined,
    { enum: ['same-origin'] },
  ),
  'Strict-Transport-Security': sometimes(
    'Makes browsers use https from now on. Present when PUBLIC_URL is https.',
    'max-age=31536000',
  ),
  'Cross-Origin-Opener-Policy': always(
    'Keeps pages that opened this one, or were opened by it, away from it.',
    undefined,
    { enum: ['same-origin'] },
  ),
  'Permissions-Policy': always('What the page does not need of the device.', 'camera=(), geolocation=()'),
  'Access-Control-Allow-Origin': sometimes(
    'The origin of the page that asks, if CORS_ORIGINS names it.',
    'https://app.example',
  ),
  'Access-Control-Expose-Headers': sometimes(
    'The header fields that such a page may read.',
    'ETag, Link, Location',
  ),
  'Access-Control-Allow-Methods': sometimes(
    'The methods that such a page may use here.',
    'GET, HEAD, OPTIONS',
  ),
  'Access-Control-Allow-Headers': sometimes(
    'The header fields that such a page may send.',
    'Content-Type, If-Match',
  ),
  'Access-Control-Max-Age': sometimes('For how many seconds this holds.', 600, {
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
