import addFormatsModule from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestOptions } from '../support/http-client.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

interface Operation {
  operationId: string;
  parameters: { name?: string; in?: string; required?: boolean }[];
  requestBody?: { content: object };
  responses: Record<string, { $ref?: string; content?: object }>;
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: object }>;
    responses: Record<string, { content: object }>;
  };
}

const [service, small, limited, blog] = await Promise.all([
  startService(),
  startService({ MAX_BODY_BYTES: '1500' }),
  startService({
    API_TOKENS: 'a-token-of-this-test',
    CORS_ORIGINS: 'https://app.example',
    RATE_LIMIT: '1000',
  }),
  startService({ BASE_PATH: '/blog' }),
]);

const readDocument = async (path = '/openapi.json', of = service): Promise<Document> =>
  (await of.get(of.baseUrl + path)).json<Document>();
const document = await readDocument();

const METHODS = ['get', 'post', 'put', 'delete'];
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method]! })),
  );

describe('the OpenAPI document', () => {
  it('equals the committed openapi.json; `npm run openapi` updates it', () => {
    const committed = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
    expect(document).toEqual(JSON.parse(committed));
  });

  it('does not depend on API_TOKENS, CORS_ORIGINS and RATE_LIMIT', async () => {
    expect(await readDocument('/openapi.json', limited)).toEqual(document);
  });

  it('names the base URL as its server', async () => {
    const serversOf = async (path: string) => (await readDocument(path, blog)).servers;
    expect(await serversOf('/openapi.json')).toEqual([{ url: '/blog' }]);
    expect(await serversOf('/openapi-client.json')).toEqual([{ url: blog.baseUrl }]);
  });

  it('has JSON Schemas that agree with all examples, and an example of each body', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
    // The package is CommonJS. Node and TypeScript see its default export differently.
    (addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);
    ajv.addKeyword('components');
    const { schemas } = document.components;
    const faults: unknown[] = [];
    const compare = (schema: object, values: readonly unknown[]): void => {
      const validate = ajv.compile({ ...schema, components: { schemas } });
      for (const value of values) if (!validate(value)) faults.push({ value, errors: validate.errors });
    };
    /** Compares the examples beside a schema (of a body or parameter), and those in it (of a property). */
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const { schema, example, examples = [], content = {} } = part as Record<string, object>;
      const values = Array.isArray(examples) ? examples : Object.values(examples).map(({ value }) => value);
      if (example !== undefined) values.push(example);
      if (schema ?? values.length > 0) compare(schema ?? part, values);
      for (const body of Object.values(content) as { schema: object }[]) {
        // A referenced schema has the examples at its properties.
        if (Object.keys(body).length === 1 && !('$ref' in body.schema)) faults.push({ body });
      }
      Object.values(part).forEach(visit);
    };
    visit(document);
    for (const schema of Object.values(schemas)) compare(schema, []);
    expect(faults).toEqual([]);
  });
});

describe('the patterns of texts', () => {
  const { properties } = document.components.schemas['NewPost'] as {
    properties: Record<string, { pattern: string }>;
  };

  it.each([
    ['title', ['a', ' a ', '\u200b', '😀'], ['', ' \ufeff', '\0', ' \0', 'a\0']],
    ['body', ['', ' ', '\r\n'], ['\0', 'a\0b']],
    [
      'pub_date',
      ['2026-11-20', '2024-02-29', '2000-02-29T00:00Z', '0004-02-29 23:59:59.1+01:00'],
      ['0000-01-01', '2026-02-29', '1900-02-29', '2026-02-30', '2026-04-31', '2026-1-1', '2026-01-01T24:00Z'],
    ],
  ])('of %s take what the service takes, and nothing that it refuses', async (name, taken, refused) => {
    const pattern = new RegExp(properties[name]!.pattern, 'u');
    for (const text of [...taken, ...refused]) {
      const { status } = await service.post({ ...aPost(), [name]: text });
      expect([text, status, pattern.test(text)]).toEqual(
        taken.includes(text) ? [text, 201, true] : [text, 400, false],
      );
    }
  });
});

interface Attempt extends RequestOptions {
  target: string;
}

/**
 * Statuses that take too long to provoke here, or that need a fault of the service. For 429, see
 * rate-limit.http.e2e.ts.
 */
const NOT_PROVOKED = ['408', '409', '429', '500', '503'];

/** How a request changes to get a status. A status that is missing here needs no change. */
const PROVOCATIONS: Readonly<Record<string, (sent: Attempt) => Partial<Attempt>>> = {
  303: () => ({ headers: { Accept: 'text/html' } }),
  304: () => ({ headers: { 'If-None-Match': '*' } }),
  400: () => ({ headers: { Host: 'not a host' } }),
  401: () => ({ headers: { Authorization: `Bearer psa_${'0'.repeat(43)}` } }),
  403: () => ({ headers: { Host: 'elsewhere.example' } }),
  406: () => ({ headers: { Accept: 'image/png' } }),
  412: () => ({ headers: { 'If-Match': '"no-such-version"' } }),
  414: ({ target }) => ({ target: `${target}?${'x'.repeat(10_000)}` }),
  415: () => ({ headers: { 'Content-Type': 'text/plain' } }),
  422: () => ({ headers: { 'Idempotency-Key': 'used' } }),
  404: ({ target }) => ({ target: target.replace(/=\d+$/, '=999').replace(/[\w-]+\/$/, '0/') }),
  410: ({ target }) => ({ target: `${target}?deleted_after=2000-01-01` }),
  413: () => ({ json: aPost({ body: 'x'.repeat(2_000) }) }),
};

const MERGED = { 'Content-Type': 'application/x-ndjson', Prefer: 'resolution=merge-duplicates' };

/** Statuses that one operation has for a reason of its own. */
const PROVOCATIONS_OF: Readonly<Record<string, (sent: Attempt) => Attempt>> = {
  'post /posts/ 200': ({ target }) => ({ target, headers: MERGED, body: '\n' }),
  'post /posts/ 412': ({ target }) => ({
    target,
    headers: MERGED,
    body: JSON.stringify({ ...aPost(), id: 1, etag: '"no-such-version"' }),
  }),
  'get /posts/ 410': ({ target }) => ({
    target: `${target}?modified_after=2000-01-01`,
    headers: { Accept: 'text/event-stream' },
  }),
};

describe('every operation of the OpenAPI document', () => {
  /** A request that succeeds. */
  async function attempt(method: string, path: string): Promise<Attempt> {
    const { id } = await small.create();
    const isOnCollection = path === '/posts/' && (method === 'put' || method === 'delete');
    const target = path.replace('{id}', String(id));
    return {
      target: isOnCollection ? `${target}?id=${id}` : target,
      ...(['post', 'put'].includes(method) && { json: aPost({ title: 'As documented' }) }),
    };
  }

  // The test harness validates each response against the document, so only the status is left to check.
  it('responds with each documented status', async () => {
    await small.post(aPost({ title: 'Another' }), { 'Idempotency-Key': 'used' });
    for (const { path, method, operation } of operationsOf(document)) {
      for (const status of Object.keys(operation.responses).filter((each) => !NOT_PROVOKED.includes(each))) {
        const success = await attempt(method, path);
        const name = `${method} ${path} ${status}`;
        const own = PROVOCATIONS_OF[name]?.(success);
        const sent = own ?? { ...success, ...PROVOCATIONS[status]?.(success) };
        const asked = status === '401' ? limited : small;
        const response = await asked.request(method.toUpperCase(), sent.target, sent);
        expect(`${method} ${path} ${response.status}`).toBe(name);
      }
    }
  });
});

describe('GET /openapi-client.json', () => {
  let client: Document;
  beforeAll(async () => {
    client = await readDocument('/openapi-client.json');
  });

  it('has the operations with JSON bodies, each with one request type, one success and one response type', () => {
    const operations = operationsOf(client);
    const onPosts =
      'listPosts createPost replacePostByQuery deletePostByQuery getPost replacePost deletePost';
    const others = 'listDeletedPosts getLiveness getReadiness';
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.join(' ')).toBe(`getEntryPoint ${onPosts} ${others}`);
    for (const { operation } of operations) {
      const { requestBody, responses } = operation;
      if (requestBody) expect(Object.keys(requestBody.content)).toEqual(['application/json']);
      expect(Object.keys(responses).filter((status) => status < '400')).toHaveLength(1);
      for (const { $ref, content } of Object.values(responses)) {
        if ($ref !== undefined) expect($ref).toMatch(/^#\/components\/responses\/[A-Za-z]+$/);
        else if (content) expect(Object.keys(content)).toEqual(['application/json']);
      }
    }
    const schema = { $ref: '#/components/schemas/Problem' };
    for (const { content } of Object.values(client.components.responses)) {
      expect(content).toEqual({ 'application/problem+json': { schema } });
    }
  });

  it('has nothing that generators read wrongly, and names each object schema', () => {
    const { get, delete: remove } = client.paths['/posts/']!;
    expect(JSON.stringify(get!.parameters)).not.toMatch(/fields|If-Modified-Since|If-None-Match/);
    expect(remove!.parameters[0]).toMatchObject({ name: 'id', required: true });
    // Preconditions stand where they change something.
    expect(JSON.stringify(get!.parameters)).not.toMatch(/If-Match|If-Unmodified-Since|Last-Event-ID/);
    expect(JSON.stringify(remove!.parameters)).toContain('/If-Match');
    expect(JSON.stringify(client.paths['/posts/']!.post!.parameters)).not.toContain('/Prefer');
    const { schemas } = client.components;
    const named = Object.values(schemas).filter(({ properties }) => properties).length;
    expect(JSON.stringify(client).match(/"type":"object"/g)).toHaveLength(named);
    // Generators would write U+0000 into source code.
    expect(JSON.stringify(client)).not.toMatch(/u0000|readOnly/);
    expect(Object.keys(schemas['NewPost']!.properties!)).toEqual(Object.keys(aPost()));
    // Validators in JavaScript count UTF-16 units: a stored title of 200 emoji must pass where it is read.
    const title = { title: expect.objectContaining({ maxLength: 200 }) };
    expect(schemas['NewPost']!.properties).toMatchObject(title);
    expect(schemas['Post']!.properties).not.toMatchObject(title);
  });
});

// security.http.e2e.ts has the policy of the page.
describe('GET /docs/', () => {
  const fetchFile = (name: string) => fetch(`${blog.baseUrl}/docs/${name}`);

  it('is a page that refers only to files of the service, by relative references', async () => {
    const { headers, text } = await blog.get('/blog/docs/');
    const type = 'text/html; charset=utf-8';
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'no-cache' });
    const references = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(4);
    for (const reference of references) {
      expect(reference).toMatch(/^(?:\.\.\/(?:openapi(?:-client)?\.json|admin\/|posts\/)|[\w.-]+)$/);
      expect((await fetchFile(reference)).status).toBe(200);
    }
    expect(text).not.toMatch(/<script>|<style|\son\w+=/);
  });

  it.each([
    ['swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 200, 'text/css; charset=utf-8'],
    ['favicon.svg', 200, 'image/svg+xml'],
    ['..%2Fpackage.json', 404, 'application/problem+json'],
    ['constructor', 404, 'application/problem+json'],
  ])('answers a request for the file %s with %i', async (name, status, mediaType) => {
    const response = await fetchFile(name);
    expect([response.status, response.headers.get('content-type')]).toEqual([status, mediaType]);
  });
});

const reference = readFileSync(join(import.meta.dirname, '../../docs/api/README.md'), 'utf8');

/** The cells of the table under a heading of the reference, without backquotes. */
function tableOf(heading: string): string[][] {
  const section = reference.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** Paths of the document that are about files of pages, explanations and redirects. */
const LEFT_OUT = /^\/(?:docs\/\{|problems)/;

describe('docs/api/README.md', () => {
  it('has every path with its methods, every parameter and format of lists, and every field of a post', async () => {
    const paths = Object.entries(document.paths).filter(([path]) => !LEFT_OUT.test(path));
    const methodsOf = (item: object) => METHODS.filter((method) => method in item).join(', ');
    const documented = paths.map(([path, item]) => [path, methodsOf(item).toUpperCase()] as const);
    const described = tableOf('Paths').map(([path, methods]) => [path!, methods!] as const);
    expect(new Map(described)).toEqual(new Map(documented));

    const { parameters, responses } = document.paths['/posts/']!['get']!;
    const names = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    const first = (heading: string) => tableOf(heading).map(([name]) => name);
    expect(new Set(first('Lists'))).toEqual(new Set(names));
    // The form is a redirect.
    const formats = [...Object.keys(responses['200']!.content!), 'text/html'];
    expect(new Set(first('Formats'))).toEqual(new Set(formats));
    expect(first('Fields')).toEqual(Object.keys(await service.create()));
  });
});
