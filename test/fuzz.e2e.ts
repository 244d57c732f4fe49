import { jest } from '@jest/globals';
import * as fc from 'fast-check';
import type { PostJson } from './support/posts.js';
import { startService } from './support/service.js';

jest.setTimeout(120_000);

/** Set FUZZ_SEED to run a failing case again, and FUZZ_RUNS for a longer search. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 150);

const service = await startService();
const asked = { requests: 0 };
const parameters = { seed: SEED, numRuns: RUNS };

afterAll(() => process.stdout.write(`fuzz: seed ${SEED}, ${asked.requests} requests\n`));

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  properties?: Record<string, Schema>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}
interface Operation {
  parameters?: Parameter[];
  requestBody?: unknown;
}

const document = (await service.get('/openapi.json')).json<{
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, Parameter> };
}>();

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method]! })),
);

/** Text that is an injection somewhere, or hard to keep whole. */
const nastyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    `'; DROP TABLE posts; --`,
    `" OR 1=1 --`,
    '=cmd|"/c calc"!A1',
    '\r\nX-Injected: 1',
    '\u001b[31mred\u0007',
    '%00',
    '../../etc/passwd',
    '${jndi:ldap://x}',
    '<script>alert(1)</script>',
    '__proto__',
    '\u202Eevil',
    '0'.repeat(5_000),
    `${'a'.repeat(5_000)}!`,
    '\u{1F600}'.repeat(200),
  ),
);

const parameterValue = fc.oneof(
  nastyText,
  fc.integer().map(String),
  fc.constantFrom('', '0', '007', '1', '1e3', '9007199254740993', '-1', 'id', '-title', '2026-02-30', 'null'),
);

const fields = fc.dictionary(
  fc.oneof(
    fc.constantFrom('id', 'title', 'pub_date', 'body'),
    fc.constantFrom('__proto__', 'constructor', 'x'),
  ),
  fc.oneof(
    nastyText,
    fc.jsonValue(),
    fc.integer(),
    fc.constantFrom('2026-11-20', '2026-11-20T24:00:00Z', null),
  ),
  { maxKeys: 6 },
);

const body = fc.oneof(
  { weight: 4, arbitrary: fields.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: nastyText },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)) },
);

const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/x-ndjson',
  'text/plain',
  'application/json; charset=latin1',
  'nonsense',
);

/** A header field's value may hold no control characters, and nothing beyond Latin-1. */
const headerValue = nastyText.map((text) =>
  text.replaceAll(/[^\t\u0020-\u007e\u00a0-\u00ff]/g, '').slice(0, 2_000),
);

const request = fc.record({
  operation: fc.constantFrom(...operations),
  id: fc.oneof(fc.integer({ min: 1, max: 200 }).map(String), parameterValue),
  query: fc.array(fc.tuple(fc.nat(), parameterValue), { maxLength: 4 }),
  headers: fc.array(fc.tuple(fc.nat(), headerValue), { maxLength: 3 }),
  contentType,
  coding: fc.constantFrom(undefined, undefined, undefined, 'gzip', 'br', 'zstd'),
  body,
});

const OTHER_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Range',
  'Origin',
  'Authorization',
  'X-Request-Id',
  'traceparent',
];

function resolve(parameter: Parameter): Parameter {
  if (parameter.$ref === undefined) return parameter;
  return document.components.parameters![parameter.$ref.replace(/^.*\//, '')]!;
}

describe('the service, asked for whatever its own description allows and more', () => {
  it('never fails: no 5xx, every error a problem, every answer as described', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ operation: { path, method, operation }, ...random }) => {
        const known = (operation.parameters ?? []).map(resolve);
        const names = known.filter((each) => each.in === 'query').map(({ name }) => name);
        const headerNames = [
          ...known.filter((each) => each.in === 'header').map(({ name }) => name),
          ...OTHER_HEADERS,
        ];
        const query = random.query
          .map(
            ([index, value]) =>
              `${[...names, 'x'][index % (names.length + 1)]}=${encodeURIComponent(value.toWellFormed())}`,
          )
          .join('&');
        const target = path.replaceAll(/\{\w+\}/g, encodeURIComponent(random.id.toWellFormed()) || '1');
        const headers: Record<string, string> = Object.fromEntries(
          random.headers.map(([index, value]) => [headerNames[index % headerNames.length]!, value]),
        );
        const sendsBody = method === 'post' || method === 'put';
        if (sendsBody) headers['Content-Type'] = random.contentType;
        if (sendsBody && random.coding !== undefined) headers['Content-Encoding'] = random.coding;
        asked.requests += 1;
        // The harness holds each answer to the contract's rules and to the OpenAPI document.
        const answer = await service.request(
          method.toUpperCase(),
          query === '' ? target : `${target}?${query}`,
          {
            headers,
            ...(sendsBody && { body: random.body }),
          },
        );
        expect(answer.status).toBeLessThan(500);
      }),
      parameters,
    );
  });

  it('gives back what it accepted, to the last byte', async () => {
    const text = fc.oneof(nastyText, fc.string({ unit: 'binary', maxLength: 3_000 }));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, content) => {
        asked.requests += 1;
        const created = await service.post({ title, body: content });
        expect([201, 400]).toContain(created.status);
        fc.pre(created.status === 201);
        const { id } = created.json<PostJson>();
        const read = (await service.get(`/posts/${id}/`)).json<PostJson>();
        expect([read.title, read.body]).toEqual([title, content]);
      }),
      parameters,
    );
  });
});
