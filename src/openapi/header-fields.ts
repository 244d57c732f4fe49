import type { RequestField, ResponseField } from '../http/index.js';
import { type Header, mapValues, type Parameter, type Reference, type Schema } from './document-types.js';

const COUNT: Schema = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const UUID = '0b9f6f0e-5d1c-4f6a-9d0e-8f4c1c1f7a52';
const REQUEST_ID = stringSchema(UUID, String.raw`^[\w.~:=+/@-]{1,128}$`);
const KEY = stringSchema(UUID, String.raw`^(?:"[ !#-\[\]-~]{1,255}"|[!#-~]{1,255})$`);
const ENTITY_TAG = stringSchema('"7-1"', '^"[!#-~]+"$');
const ENTITY_TAGS = stringSchema('"7-1"', String.raw`^(?:\*|(?:W/)?"[!#-~]*"(?: *, *(?:W/)?"[!#-~]*")*)$`);
const DATE = stringSchema('Fri, 20 Nov 2026 14:40:00 GMT');

function stringSchema(example: string, pattern?: string): Schema {
  return { type: 'string', ...(pattern !== undefined && { pattern }), examples: [example] };
}

const only = (value: string): Schema => ({ type: 'string', enum: [value] });
const sent = (description: string, schema: Schema) => ({ in: 'header', description, schema }) as const;
/** A field that is always present in a response that refers to it. */
const always = (description: string, schema: Schema): Header => ({ description, required: true, schema });
const sometimes = (description: string, schema: Schema): Header => ({ description, schema });

/** Request header fields, as components. OpenAPI itself documents `Accept`, `Content-Type` and `Authorization`. */
const SENT = {
  'X-Request-Id': sent('The id of the request in the log, unless it is malformed.', REQUEST_ID),
  'If-Match': sent('The ETag of the version to read or change. With another version: 412.', ENTITY_TAGS),
  // On a write, the field has the opposite purpose of that on a read (RFC 9110 §13.1.2).
  'If-None-Match': sent(
    'The ETag that the client has. While it is current: 304, or 412 to a write.',
    stringSchema('"7-1"'),
  ),
  'If-Modified-Since': sent('Without If-None-Match: if nothing has changed since, 304.', DATE),
  'If-Unmodified-Since': sent('Without If-Match: if the target may have changed since, 412.', DATE),
  'Idempotency-Key': sent(
    'A key that the client chooses. Requests with the same key and body are executed once; repetitions get the first response, for 24 hours.',
    KEY,
  ),
  'Last-Event-ID': sent(
    'With `text/event-stream`: the `id` of the last event that the client has. The stream continues after it. It wins over `modified_after`.',
    stringSchema('2026-11-20T14:40:00.000Z'),
  ),
  Prefer: sent(
    'RFC 7240. On a list, `count=exact` requests X-Total-Count. On an import, `resolution=merge-duplicates` replaces the ' +
      'posts that the lines name by their `id`.',
    stringSchema('count=exact'),
  ),
} satisfies Record<RequestField, unknown>;

export const PARAMETERS: Record<string, Parameter> = mapValues(SENT, (each, name) => ({ name, ...each }));

export function parameterReferences(names: readonly RequestField[]): Reference[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

export const RESPONSE_HEADERS: Readonly<Record<ResponseField, Header>> = {
  'X-Request-Id': always('The id of the request in the log.', REQUEST_ID),
  ETag: sometimes(
    'Identifies this version of this representation. The response to an import has none.',
    ENTITY_TAG,
  ),
  'Last-Modified': sometimes(
    'The time of the last change; for a list, of any post, deletions included. It is at least two seconds before the response, so that a later change has a later date.',
    DATE,
  ),
  Location: always('The address of the new resource, of the list after an import, or of a redirect.', {
    ...stringSchema('http://127.0.0.1:3000/posts/7/'),
    format: 'uri',
  }),
  Link: sometimes(
    'Links (RFC 8288): `next`, `prev` and `first` of a list, `service-desc` and `service-doc` of the service, `alternate` to another representation.',
    stringSchema('<http://127.0.0.1:3000/posts/>; rel="first"'),
  ),
  'X-Total-Count': sometimes('The number of entries in the whole list, with `Prefer: count=exact`.', COUNT),
  'Preference-Applied': sometimes('The preference that was applied (RFC 7240).', {
    type: 'string',
    enum: ['count=exact', 'resolution=merge-duplicates'],
  }),
  'X-Accel-Buffering': sometimes(
    'With `text/event-stream`: tells nginx to pass on events at once.',
    only('no'),
  ),
  Allow: always('The methods of this path.', stringSchema('GET, HEAD, OPTIONS')),
  'Accept-Post': always('The media types that are accepted.', stringSchema('application/json')),
  'Retry-After': sometimes('The number of seconds to wait before a retry.', { ...COUNT, minimum: 1 }),
  'Idempotency-Replayed': sometimes('This is the first response to the same Idempotency-Key.', only('true')),
  'RateLimit-Policy': sometimes(
    'With RATE_LIMIT: the quota of requests, and the window in seconds.',
    stringSchema('"client";q=600;w=60'),
  ),
  RateLimit: sometimes(
    'With RATE_LIMIT: the remaining requests and seconds.',
    stringSchema('"client";r=599;t=60'),
  ),
  'WWW-Authenticate': always('How to authenticate (RFC 6750).', stringSchema('Bearer realm="posts"')),
};

/** The `headers` of a response: references to the components of these names, and of the fields of every response. */
export function headerReferences(names: readonly ResponseField[]): Record<string, { $ref: string }> {
  const all: readonly ResponseField[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
