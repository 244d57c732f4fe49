import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import { asText, encode } from '../support/encode.js';
import { aPost, type PostJson } from '../support/posts.js';
import { checkProperty } from '../support/properties.js';
import { startService } from '../support/service.js';

// FUZZ_RUNS=20 takes long.
jest.setTimeout(3_600_000);

// The harness checks each response against the contract's rules and the OpenAPI document.
const service = await startService();

interface Schema {
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly type?: string;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const { paths, components } = (await service.get('/openapi.json')).json<{
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}>();

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];
/** Header fields that OpenAPI describes in other parts of the document, or that clients need not send. */
const OTHER_HEADERS = ['Accept-Encoding', 'Range', 'Origin', 'Authorization', 'traceparent', 'Expect'];
const NONSENSE_TYPES = ['text/plain', 'application/json; charset=latin1', 'nonsense', 'multipart/form-data'];
const CODINGS = [undefined, undefined, undefined, 'gzip', 'br', 'zstd'];
const DATES = ['2026-11-20', '0001-01-01', '2026-11-20 14:40:00.123456+01:00', '9999-12-31T23:59:59.999Z'];
const UNLIKELY = ['', '0', '007', '1e3', '9007199254740993', '-1', '2026-02-30', 'null', '%00', '__proto__'];

/** Text that could be an injection, or that is hard to store unchanged. */
const nastyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(`'; DROP TABLE posts; --`, `" OR 1=1 --`, '=cmd|"/c calc"!A1', '\r\nX-Injected: 1'),
  fc.constantFrom('<script>alert(1)</script>', '\u202Eevil', '\ufeffmarked', `${'a'.repeat(5_000)}!`, '😀'),
);

/** A header field's value allows no control characters and nothing beyond Latin-1. */
const asHeader = (text: string): string =>
  text.replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, '').slice(0, 2_000);

/** Values that a schema allows, as texts. */
function valuesOf({ enum: choices, examples, items, maximum, pattern, type }: Schema): fc.Arbitrary<string> {
  if (choices ?? examples) return fc.constantFrom(...(choices ?? examples)!).map(String);
  if (items) return fc.uniqueArray(valuesOf(items), { minLength: 1, maxLength: 5 }).map(String);
  if (type === 'integer') return fc.nat({ max: Math.min(maximum!, 200) }).map(String);
  return pattern?.includes('\\d') ? fc.constantFrom(...DATES) : nastyText;
}

/** Mostly values that the document allows, sometimes others. */
const mostly = (allowed: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: allowed }, nastyText, fc.constantFrom(...UNLIKELY));

const some = <Value>(values: Readonly<Record<string, fc.Arbitrary<Value>>>) =>
  fc.record(values, { requiredKeys: [], noNullPrototype: true });

function bodiesOf({ requestBody }: Operation): fc.Arbitrary<{ type: string; body: string | Buffer }> {
  const known = Object.keys(requestBody?.content ?? {});
  const hostile = fc.record({
    type: fc.constantFrom(...known, ...NONSENSE_TYPES),
    body: fc.oneof(
      fc.json(),
      nastyText,
      fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
      fc.dictionary(fc.constantFrom('id', 'title', 'body', '__proto__', 'x'), fc.jsonValue()).map(asText),
    ),
  });
  const sound = known.map((type) =>
    some({ ...TEXTS, pub_date: fc.constantFrom(...DATES) }).map((post) => encode(type, post)),
  );
  return fc.oneof(hostile, ...sound);
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
const TEXTS = {
  title: nastyText.filter((text) => isStorable(text) && text.trim() !== '' && text.length <= 200),
  body: nastyText.filter(isStorable),
};

/** Requests to an operation: path, parameters, header fields, media types and bodies follow the document. */
function requestsTo(path: string, method: string, operation: Operation) {
  const known = (operation.parameters ?? []).map((each) =>
    each.$ref === undefined ? each : components.parameters[each.$ref.replace(/^.*\//, '')]!,
  );
  const drawn = (place: string) =>
    Object.fromEntries(
      known.filter((each) => each.in === place).map(({ name, schema }) => [name, mostly(valuesOf(schema))]),
    );
  const types = Object.values(operation.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  const accept = mostly(fc.constantFrom('*/*', ...types, ...types.map((type) => `${type};q=0.5, */*;q=0.1`)));
  const others = Object.fromEntries(OTHER_HEADERS.map((name) => [name, nastyText]));
  const encoded = (text: string | undefined) => encodeURIComponent(text!.toWellFormed());
  return fc
    .record({
      path: fc.record(drawn('path')),
      query: fc.oneof(some(drawn('query')), some({ ...drawn('query'), x: nastyText })),
      fields: fc.oneof(some(drawn('header')), some({ ...drawn('header'), ...others, Accept: accept })),
      sent: ['post', 'put'].includes(method) ? bodiesOf(operation) : fc.constant(undefined),
      coding: fc.constantFrom(...CODINGS),
    })
    .map(({ sent, coding, ...random }) => {
      const query = Object.entries(random.query).map(([name, value]) => `${name}=${encoded(value)}`);
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(random.path[name]) || '1');
      const fields = Object.entries(random.fields).map(([name, value]) => [name, asHeader(value!)]);
      const headers = Object.fromEntries(fields) as Record<string, string>;
      if (sent) headers['Content-Type'] = asHeader(sent.type);
      if (sent && coding !== undefined) headers['Content-Encoding'] = coding;
      return { method, target: [target, ...query].join('&').replace('&', '?'), headers, body: sent?.body };
    });
}

const requests = fc.oneof(
  ...Object.entries(paths).flatMap(([path, item]) =>
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

  it.each(Object.keys(paths['/posts/']!['post']!.requestBody!.content))(
    'is stored unchanged when it is a valid post as %s',
    async (mediaType) => {
      await checkProperty(
        fc.asyncProperty(fc.record(TEXTS, { noNullPrototype: true }), async (texts) => {
          const { type, body } = encode(mediaType, aPost(texts));
          const created = await service.request('POST', '/posts/', {
            headers: { 'Content-Type': type },
            body,
          });
          expect(created.status).toBe(201);
          const { id, first_id: first } = created.json<{ id: number; first_id?: number }>();
          const { title, body: stored } = (await service.get(`/posts/${first ?? id}/`)).json<PostJson>();
          expect({ title, body: stored }).toEqual(texts);
        }),
        75,
      );
    },
  );
});
