import { COMPONENT_NAME, type Header, type Parameter } from './document-types.js';

/** Header fields that a client can send; `Accept`, `Content-Type` and `Authorization` OpenAPI documents by itself. */
export const REQUEST_ID: Parameter = {
  name: 'X-Request-Id',
  in: 'header',
  description: 'Names the request in the log and in the answer; a well-formed one is kept.',
  schema: { type: 'string', maxLength: 128, examples: ['import-2026-11-20'] },
};

export const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of what the client has already: if that still holds, the answer is 304 without a body.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag of what the client means to change: if that is not what is stored, the answer is 412.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IF_MATCH_ON_READ: Parameter = {
  [COMPONENT_NAME]: 'If-Match-on-read',
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag that the answer must have, in whatever coding: if it has another, the answer is 412.',
  schema: { type: 'string', examples: ['"7-1"'] },
};

export const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A key of the client’s own choice, such as a UUID. Of all requests with the same key and the same body one is carried out, and the others are given its answer, for 24 hours.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 257,
    examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
  },
};

export const PREFER_COUNT: Parameter = {
  [COMPONENT_NAME]: 'Prefer-count',
  name: 'Prefer',
  in: 'header',
  description: '`count=exact` asks for X-Total-Count; without it nothing is counted (RFC 7240).',
  schema: { type: 'string', examples: ['count=exact'] },
};

export const PREFER_RETURN: Parameter = {
  [COMPONENT_NAME]: 'Prefer-return',
  name: 'Prefer',
  in: 'header',
  description:
    '`return=minimal` leaves the body of a success out (RFC 7240); `Preference-Applied` confirms it.',
  schema: { type: 'string', examples: ['return=minimal'] },
};

/** Every header field that a response can have; `required` means that it is there wherever a response refers to it. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in the log. A well-formed one that the client sent is kept.',
    required: true,
    schema: { type: 'string', pattern: String.raw`^[\w.~:=+/@-]{1,128}$` },
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
  },
  'X-Content-Type-Options': {
    description: 'Tells browsers to take the Content-Type at its word.',
    required: true,
    schema: { type: 'string', enum: ['nosniff'] },
  },
  ETag: {
    description:
      'Names this version of this representation. Send it back in `If-None-Match` or `If-Match`. The answer to an import has none.',
    schema: { type: 'string', pattern: '^"[!#-~]+"$' },
    example: '"7-1"',
  },
  'Cache-Control': {
    description:
      '`no-cache`: keep it, but ask whether it still holds before using it. `no-store`: do not keep it.',
    required: true,
    schema: { type: 'string', enum: ['no-cache', 'no-store'] },
  },
  Vary: {
    description: 'The request header fields that chose this answer.',
    required: true,
    schema: { type: 'string' },
    example: 'Accept, Accept-Encoding',
  },
  'Content-Encoding': {
    description: 'How the body is compressed: bodies over 1 KiB are, when `Accept-Encoding` asks for it.',
    schema: { type: 'string', enum: ['br', 'gzip'] },
  },
  Location: {
    description: 'Where the client finds what it asked for.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'http://127.0.0.1:3000/posts/7/',
  },
  Link: {
    description:
      'Where to go from here (RFC 8288): `next`, `prev` and `first` on a page of posts, `service-desc` and `service-doc` at the entry point.',
    schema: { type: 'string' },
    example: '<http://127.0.0.1:3000/posts/>; rel="first"',
  },
  'X-Total-Count': {
    description: 'The number of posts in the whole list; there with `Prefer: count=exact`.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: 128,
  },
  'Preference-Applied': {
    description: 'The preference that was honoured (RFC 7240).',
    schema: { type: 'string', enum: ['count=exact', 'return=minimal'] },
  },
  Allow: {
    description: 'The methods of this path.',
    required: true,
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Accept-Post': {
    description: 'The media types that are understood here.',
    required: true,
    schema: { type: 'string' },
    example: 'application/json, application/x-www-form-urlencoded, multipart/form-data',
  },
  'Accept-Encoding': {
    description: 'The content codings that are understood; there when the `Content-Encoding` was the fault.',
    schema: { type: 'string' },
    example: 'gzip, deflate, br',
  },
  'Retry-After': {
    description: 'The number of seconds after which it is worth to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  },
  'Idempotency-Replayed': {
    description: '`true` on an answer that was given before, to a request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'RateLimit-Policy': {
    description:
      'How many requests a client may send in a window of how many seconds; there when RATE_LIMIT is set, but not on a preflight.',
    schema: { type: 'string' },
    example: '"client";q=600;w=60',
  },
  RateLimit: {
    description:
      'How many of them remain, and for how many seconds the window lasts; there with `RateLimit-Policy`.',
    schema: { type: 'string' },
    example: '"client";r=599;t=60',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    required: true,
    schema: { type: 'string' },
    example: 'Bearer realm="posts"',
  },
  'Content-Security-Policy': {
    description:
      'What a browser may do with it: of the API nothing at all, of a page nothing that comes from elsewhere.',
    required: true,
    schema: { type: 'string' },
    example: "default-src 'none'; frame-ancestors 'none'",
  },
  'X-Frame-Options': {
    description: 'Tells browsers that do not know `frame-ancestors` to show it in no frame.',
    required: true,
    schema: { type: 'string', enum: ['DENY'] },
  },
  'Referrer-Policy': {
    description: 'Tells browsers to say nobody where a link was followed from.',
    required: true,
    schema: { type: 'string', enum: ['no-referrer'] },
  },
  'Cross-Origin-Resource-Policy': {
    description:
      'Tells browsers not to load it into pages of other origins; what CORS lets through is not meant.',
    required: true,
    schema: { type: 'string', enum: ['same-origin'] },
  },
  'Strict-Transport-Security': {
    description: 'Tells browsers to come by https from now on; there when PUBLIC_URL is https.',
    schema: { type: 'string' },
    example: 'max-age=31536000',
  },
  'Cross-Origin-Opener-Policy': {
    description: 'Keeps pages that opened this one, or were opened by it, away from it.',
    required: true,
    schema: { type: 'string', enum: ['same-origin'] },
  },
  'Permissions-Policy': {
    description: 'What the page does not need of the device.',
    required: true,
    schema: { type: 'string' },
    example: 'camera=(), geolocation=()',
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the page that asks, if CORS_ORIGINS names it.',
    schema: { type: 'string' },
    example: 'https://app.example',
  },
  'Access-Control-Expose-Headers': {
    description: 'The header fields that such a page may read.',
    schema: { type: 'string' },
    example: 'ETag, Link, Location',
  },
  'Access-Control-Allow-Methods': {
    description: 'The methods that such a page may use here.',
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Access-Control-Allow-Headers': {
    description: 'The header fields that such a page may send.',
    schema: { type: 'string' },
    example: 'Content-Type, If-Match',
  },
  'Access-Control-Max-Age': {
    description: 'For how many seconds this holds.',
    schema: { type: 'integer', minimum: 0, maximum: 86_400 },
    example: 600,
  },
} satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** Tells whether the document knows a header field of this name. */
export function isResponseHeader(name: string): name is ResponseHeader {
  return Object.hasOwn(RESPONSE_HEADERS, name);
}

/** The `headers` of a response: references to the components of these names. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
