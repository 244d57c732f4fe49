import type { Header, Parameter, Reference, Schema } from './document-types.js';
import { mapValues } from './map-values.js';
import { modernSchema } from './schemas.js';

const ENTITY_TAGS = { pattern: String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?: *, *(?:W/)?"[!#-~]*")*)$` };

/** Request header fields. OpenAPI itself documents `Accept`, `Content-Type` and `Authorization`. */
const SENT = {
  'X-Request-Id': sent(
    'The id of the request in the log and in the response. A well-formed id from the client is kept; another one is replaced.',
    'import-2026-11-20',
    { pattern: String.raw`^[\w.~:=+/@-]{1,128}$` },
  ),
  'If-Match': sent(
    'The ETag of the version that the client wants to change. If another version is stored, the response is 412.',
    '"7-1"',
    ENTITY_TAGS,
  ),
  'If-Match-on-read': sent(
    'The ETag that the response must have, in any content coding. With another ETag, the response is 412.',
    '"7-1"',
    ENTITY_TAGS,
  ),
  'If-None-Match': sent(
    'The ETag of the representation that the client has. If it is still current, the response is 304 without a body.',
    '"7-1"',
  ),
  // On a write, the field has the opposite purpose of that on a read (RFC 9110 §13.1.2).
  'If-None-Match-on-write': sent(
    '`*`, or the ETag of a version that the post must not have. If it has that version, the response is 412.',
    '*',
  ),
  'If-Modified-Since': sent(
    'The Last-Modified of the representation that the client has. If nothing has changed since, the response is 304 without a body. Used only without If-None-Match; an invalid date is ignored.',
    'Fri, 20 Nov 2026 14:40:00 GMT',
  ),
  'If-Unmodified-Since': sent(
    'The Last-Modified of the representation that the client has read. If it has changed since, or may have within that second, the response is 412. Used only without If-Match; an invalid date is ignored.',
    'Fri, 20 Nov 2026 14:40:00 GMT',
  ),
  'Idempotency-Key': sent(
    'A key that the client chooses, such as a UUID. Requests with the same key and the same body are executed once; repetitions get the first response, for 24 hours.',
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
    { pattern: String.raw`^(?:"[ !#-\[\]-~]{1,255}"|[!#-~]{1,255})$` },
  ),
  'Prefer-count': sent(
    '`count=exact` requests X-Total-Count; without it posts are not counted (RFC 7240).',
    'count=exact',
  ),
  'Prefer-return': sent(
    '`return=minimal` leaves out the body of a success (RFC 7240); `Preference-Applied` confirms it.',
    'return=minimal',
  ),
};

export type ParameterName = keyof typeof SENT;

/** The components of {@link SENT}; a field that has two of them has a suffix in their names. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = mapValues(SENT, (parameter, key) => ({
  name: key.replace(/-(?:on-read|on-write|count|return)$/, ''),
  ...parameter,
}));

export function parameterReferences(names: readonly ParameterName[]): Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function sent(description: string, example: string, schema?: Schema): Omit<Parameter, 'name'> {
  return { in: 'header', description, schema: { type: 'string', ...schema, examples: [example] } };
}

/** A field that is always present in a response that refers to it. */
function always(description: string, schema: Schema): Header {
  return { ...sometimes(description, schema), required: true };
}

function sometimes(description: string, schema: Schema): Header {
  return { description, schema: modernSchema({ type: 'string', ...schema }) };
}

export const RESPONSE_HEADERS = {
  'X-Request-Id': always('The id of the request in the log. A well-formed id from the client is kept.', {
    example: '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52',
    pattern: '^[\\w.~:=+/@-]{1,128}$',
  }),
  ETag: sometimes(
    'Identifies this version of this representation. Send it back in `If-None-Match` or `If-Match`. The response to an import has none.',
    { example: '"7-1"', pattern: '^"[!#-~]+"$' },
  ),
  'Last-Modified': sometimes(
    'The time of the last change; for a list, of any post, deletions included. A list shows a second only when no more changes can date from it. After several changes of a post in one second, it becomes the next second, a few seconds later.',
    { example: 'Fri, 20 Nov 2026 14:40:00 GMT' },
  ),
  Location: always('The address of the new resource, of the list after an import, or of a redirect.', {
    example: 'http://127.0.0.1:3000/posts/7/',
    format: 'uri',
  }),
  Link: sometimes(
    'Links (RFC 8288): `next`, `prev` and `first` on a page of a list, `service-desc` and `service-doc` at the entry point, and `alternate` to the feed from both.',
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
} satisfies Record<string, Header>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;

/** The header fields of every response. */
export const COMMON_HEADERS: readonly ResponseHeader[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

/** The `headers` of a response: references to the components of these names. */
export function headerReferences(names: readonly ResponseHeader[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
