import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { checkProperty, SEED } from '../support/properties.js';
import { nastyText, type Schema, valuesOf } from '../support/schema-arbitraries.js';
import { startService } from '../support/service.js';

// `npm run test:fuzz` takes long.
jest.setTimeout(3_600_000);

const RUNS = 75;

const service = await startService();
const answered: Record<string, number> = {};

/** Sends a request. The harness checks each response against the contract's rules and the OpenAPI document. */
async function ask(method: string, target: string, options: RequestOptions): Promise<HttpResponse> {
  const response = await service.request(method, target, options);
  const kind = `${Math.trunc(response.status / 100)}xx`;
  answered[kind] = (answered[kind] ?? 0) + 1;
  return response;
}

afterAll(() => {
  const requests = Object.values(answered).reduce((sum, each) => sum + each, 0);
  process.stdout.write(`fuzz: seed ${SEED}, ${requests} requests, ${JSON.stringify(answered)}\n`);
});

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
const OTHER_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Range',
  'Origin',
  'Authorization',
  'traceparent',
  'Expect',
];
const NONSENSE_TYPES = ['text/plain', 'application/json; charset=latin1', 'nonsense', 'multipart/form-data'];
const CODINGS = [undefined, undefined, undefined, 'gzip', 'br', 'zstd'];

/** A header field's value allows no control characters and nothing beyond Latin-1. */
const asHeader = (text: string): string =>
  text.replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, '').slice(0, 2_000);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value)) ?? '';

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

/** Encodes a value as a body of a media type. */
function encode(type: string, value: unknown): { type: string; body: string } {
  if (typeof value !== 'object' || value === null || type === 'application/json') {
    return { type, body: asText(value) };
  }
  if (type === 'application/x-ndjson') return { type, body: `${JSON.stringify(value)}\n` };
  const fields = Object.entries(value).map(([name, each]): [string, string] => [name, asText(each)]);
  if (type === 'text/csv') {
    const cells = (texts: string[]) => texts.map((text) => `"${text.replaceAll('"', '""')}"`).join();
    return {
      type,
      body: [fields.map(([name]) => name), fields.map(([, each]) => each)].map(cells).join('\r\n'),
    };
  }
  if (type === 'application/x-www-form-urlencoded') {
    return { type, body: new URLSearchParams(fields).toString() };
  }
  const boundary = 'a-boundary-that-no-text-holds';
  const parts = fields.map(
    ([name, each]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${each}\r\n`,
  );
  return { type: `${type}; boundary=${boundary}`, body: `${parts.join('')}--${boundary}--\r\n` };
}

interface Drawn {
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly sent: { type: string; body: string | Buffer } | undefined;
}

/** Requests to an operation: path, parameters, header fields, media types and bodies follow the document. */
function requestsTo(path: string, method: string, operation: Operation): fc.Arbitrary<Drawn> {
  const known = (operation.parameters ?? []).map((each) =>
    each.$ref === undefined ? each : document.components.parameters[each.$ref.replace(/^.*\//, '')]!,
  );
  const drawn = (place: string): Record<string, fc.Arbitrary<string>> =>
    Object.fromEntries(
      known
        .filter((each) => each.in === place)
        .map(({ name, schema }) => [
          name,
          mostly(valuesOf(schema, schemas).map((value) => (Array.isArray(value) ? value.join() : value))),
        ]),
    );
  const types = Object.values(operation.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  const accept = mostly(fc.constantFrom('*/*', ...types, ...types.map((type) => `${type};q=0.5, */*;q=0.1`)));
  const others = Object.fromEntries(OTHER_HEADERS.map((name) => [name, nastyText]));
  const takesBody = method === 'post' || method === 'put';
  return fc
    .record({
      path: fc.record(drawn('path')),
      query: fc.oneof(some(drawn('query')), some({ ...drawn('query'), x: nastyText })),
      headers: fc.oneof(some(drawn('header')), some({ ...drawn('header'), ...others, Accept: accept })),
      sent: takesBody ? bodyOf(operation) : fc.constant(undefined),
    })
    .map((random) => {
      const query = Object.entries(random.query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value!.toWellFormed())}`)
        .join('&');
      const target = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => encodeURIComponent(random.path[name]!.toWellFormed()) || '1',
      );
      const headers = Object.entries(random.headers).map(([name, value]) => [name, asHeader(value!)]);
      return {
        target: query === '' ? target : `${target}?${query}`,
        headers: Object.fromEntries(headers) as Record<string, string>,
        sent: random.sent,
      };
    });
}

const requests = fc.oneof(
  ...Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) =>
      fc.record({ method: fc.constant(method), drawn: requestsTo(path, method, item[method]!) }),
    ),
  ),
);

describe('a random request, valid or invalid by the OpenAPI document', () => {
  it('never gets a 5xx or an undocumented response', async () => {
    await checkProperty(
      fc.asyncProperty(requests, fc.constantFrom(...CODINGS), async ({ method, drawn }, coding) => {
        const { target, headers, sent } = drawn;
        if (sent) headers['Content-Type'] = asHeader(sent.type);
        if (sent && coding !== undefined) headers['Content-Encoding'] = coding;
        const response = await ask(method.toUpperCase(), target, {
          headers,
          ...(sent && { body: sent.body }),
        });
        expect(response.status).toBeLessThan(500);
      }),
      RUNS * 2,
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
        const created = await ask('POST', '/posts/', { headers: { 'Content-Type': contentType }, body });
        // A pattern cannot check the number of days in a month, nor the year after conversion to UTC.
        fc.pre(created.status !== 400 || !created.faultyPlaces.every((place) => place.endsWith('/pub_date')));
        expect(created.status).toBe(201);
        const { id, first_id: first } = created.json<{ id: number; first_id?: number }>();
        const read = (await service.get(`/posts/${first ?? id}/`)).json<PostJson>();
        const { title, body: text } = value as PostJson;
        expect([read.title, read.body]).toEqual([title, text]);
      }),
      RUNS,
    );
  });

  it('is read back unchanged when its text was accepted', async () => {
    const text = fc.oneof(nastyText, fc.string({ unit: 'binary', maxLength: 3_000 }));
    await checkProperty(
      fc.asyncProperty(text, text, async (title, content) => {
        const created = await ask('POST', '/posts/', { json: { title, body: content } });
        expect([201, 400]).toContain(created.status);
        fc.pre(created.status === 201);
        const { id } = created.json<PostJson>();
        const read = (await service.get(`/posts/${id}/`)).json<PostJson>();
        expect([read.title, read.body]).toEqual([title, content]);
      }),
      RUNS,
    );
  });
});
