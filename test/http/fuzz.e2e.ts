import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { asText, encode } from '../support/encode.js';
import type { PostJson } from '../support/posts.js';
import { checkProperty } from '../support/properties.js';
import { nastyText, type Schema, valuesOf } from '../support/schema-arbitraries.js';
import { startService } from '../support/service.js';

// FUZZ_RUNS=20 takes long.
jest.setTimeout(3_600_000);

// The harness checks each response against the contract's rules and the OpenAPI document.
const service = await startService();

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
}

const document = (await service.get('/openapi.json')).json<{
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}>();
const { schemas } = document.components;

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];
/** Header fields that OpenAPI describes in other parts of the document, or that clients need not send. */
const OTHER_HEADERS = ['Accept-Encoding', 'Range', 'Origin', 'Authorization', 'traceparent', 'Expect'];
const NONSENSE_TYPES = ['text/plain', 'application/json; charset=latin1', 'nonsense', 'multipart/form-data'];
const CODINGS = [undefined, undefined, undefined, 'gzip', 'br', 'zstd'];

/** A header field's value allows no control characters and nothing beyond Latin-1. */
const asHeader = (text: string): string =>
  text.replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, '').slice(0, 2_000);

/** Mostly values that the document allows, sometimes others. */
function mostly(allowed: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const others = fc.oneof(
    nastyText,
    fc.constantFrom('', '0', '007', '1e3', '9007199254740993', '-1', '2026-02-30', 'null'),
  );
  return fc.oneof({ weight: 3, arbitrary: allowed.map(asText) }, { weight: 1, arbitrary: others });
}

const some = <Value>(values: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc.record(values, { requiredKeys: [], noNullPrototype: true });

function bodyOf({ requestBody }: Operation): fc.Arbitrary<{ type: string; body: string | Buffer }> {
  const known = Object.entries(requestBody?.content ?? {});
  const hostile = fc.record({
    type: fc.constantFrom(...known.map(([type]) => type), ...NONSENSE_TYPES),
    body: fc.oneof(
      fc.json(),
      nastyText,
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      fc.dictionary(fc.constantFrom('id', 'title', 'body', '__proto__', 'x'), fc.jsonValue()).map(asText),
    ),
  });
  const sound = known.map(([type, { schema }]) =>
    valuesOf(schema, schemas).map((value) => encode(type, value)),
  );
  return fc.oneof(hostile, ...sound);
}

/** Requests to an operation: path, parameters, header fields, media types and bodies follow the document. */
function requestsTo(path: string, method: string, operation: Operation) {
  const known = (operation.parameters ?? []).map((each) =>
    each.$ref === undefined ? each : document.components.parameters[each.$ref.replace(/^.*\//, '')]!,
  );
  const drawn = (place: string): Record<string, fc.Arbitrary<string>> => {
    const valueOf = ({ schema }: Parameter) =>
      valuesOf(schema, schemas).map((value) => (Array.isArray(value) ? value.join() : value));
    const ofPlace = known.filter((each) => each.in === place);
    return Object.fromEntries(ofPlace.map((each) => [each.name, mostly(valueOf(each))]));
  };
  const types = Object.values(operation.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  const accept = mostly(fc.constantFrom('*/*', ...types, ...types.map((type) => `${type};q=0.5, */*;q=0.1`)));
  const others = Object.fromEntries(OTHER_HEADERS.map((name) => [name, nastyText]));
  const takesBody = method === 'post' || method === 'put';
  const encoded = (text: string | undefined) => encodeURIComponent(text!.toWellFormed());
  return fc
    .record({
      path: fc.record(drawn('path')),
      query: fc.oneof(some(drawn('query')), some({ ...drawn('query'), x: nastyText })),
      headers: fc.oneof(some(drawn('header')), some({ ...drawn('header'), ...others, Accept: accept })),
      sent: takesBody ? bodyOf(operation) : fc.constant(undefined),
      coding: fc.constantFrom(...CODINGS),
    })
    .map(({ sent, coding, ...random }) => {
      const query = Object.entries(random.query).map(([name, value]) => `${name}=${encoded(value)}`);
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(random.path[name]) || '1');
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(random.headers)) headers[name] = asHeader(value!);
      if (sent) headers['Content-Type'] = asHeader(sent.type);
      if (sent && coding !== undefined) headers['Content-Encoding'] = coding;
      return {
        method,
        target: query.length === 0 ? target : `${target}?${query.join('&')}`,
        headers,
        body: sent?.body,
      };
    });
}

const requests = fc.oneof(
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => requestsTo(path, method, item[method]!)),
  ),
);

describe('a random request, valid or invalid by the OpenAPI document', () => {
  it('never gets a 5xx or an undocumented response', async () => {
    await checkProperty(
      fc.asyncProperty(requests, async ({ method, target, ...options }) => {
        const response = await service.request(method.toUpperCase(), target, options);
        expect(response.status).toBeLessThan(500);
      }),
      150,
    );
  });

  const media = document.paths['/posts/']!['post']!.requestBody!.content!;

  it.each(Object.keys(media))('is stored unchanged when it is a valid post as %s', async (type) => {
    // For NDJSON and CSV, only the descriptions say that each line is a post.
    const isBulk = type === 'application/x-ndjson' || type === 'text/csv';
    const { schema } = media[isBulk ? 'application/json' : type]!;
    await checkProperty(
      fc.asyncProperty(valuesOf(schema, schemas), async (value) => {
        const { type: contentType, body } = encode(type, value);
        const headers = { 'Content-Type': contentType };
        const created = await service.request('POST', '/posts/', { headers, body });
        // A pattern cannot check the number of days in a month, nor the year after conversion to UTC.
        fc.pre(created.status !== 400 || !created.faultyPlaces.every((place) => place.endsWith('/pub_date')));
        expect(created.status).toBe(201);
        const { id, first_id: first } = created.json<{ id: number; first_id?: number }>();
        const read = (await service.get(`/posts/${first ?? id}/`)).json<PostJson>();
        const { title, body: text } = value as PostJson;
        expect([read.title, read.body]).toEqual([title, text]);
      }),
      75,
    );
  });
});
