import addFormatsModule from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Route, RouteTable } from '../../src/http/request/route-table.js';
import { documentedRoutes } from '../../src/openapi/complete-document.js';
import type { RequestOptions } from '../support/http-client.js';
import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

interface MediaType {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  description: string;
  headers: Record<string, { schema: object; required?: boolean }>;
  content?: Record<string, MediaType>;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: object[];
  parameters: {
    name: string;
    in: string;
    required?: boolean;
    schema: object;
    style?: string;
    explode?: boolean;
  }[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response>;
}

interface Document {
  openapi: string;
  info: { title: string; version: string; license: object };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: Record<string, object>; required: string[] }> };
}

const METHODS = ['get', 'head', 'post', 'put', 'delete', 'options'];
const TOKEN = 'a-token-of-this-test';

async function readDocument(service: Service): Promise<Document> {
  const response = await service.get(`${service.baseUrl}/openapi.json`);
  expect(response.status).toBe(200);
  const document = response.json<Document>();
  return resolveReferences(document, document) as Document;
}

/** The document with every reference resolved, except those to schemas. */
function resolveReferences(part: unknown, document: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => resolveReferences(each, document));
  if (typeof part !== 'object' || part === null) return part;
  const reference: unknown = Reflect.get(part, '$ref');
  if (typeof reference === 'string' && !reference.startsWith('#/components/schemas/')) {
    return resolveReferences(lookUp(document, reference), document);
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, resolveReferences(value, document)]),
  );
}

function lookUp(document: unknown, reference: string): unknown {
  const steps = reference.replace('#/', '').split('/');
  return steps.reduce((node, step) => Reflect.get(node as object, step) as unknown, document);
}

function operationsOf({ paths }: Document): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, pathItem]) =>
    Object.entries(pathItem)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

describe('the OpenAPI document', () => {
  let service: Service;
  let document: Document;
  let operations: ReturnType<typeof operationsOf>;
  let routes: readonly Route[];

  beforeAll(async () => {
    service = await startService();
    document = await readDocument(service);
    operations = operationsOf(document);
    routes = documentedRoutes(service.app.get(RouteTable).routes);
  });

  afterAll(() => service.stop());

  it('has the paths with the names of their routes, but not the administration site', () => {
    const names = Object.entries(document.paths).map(([path, item]) => [path, item['x-route-name']]);
    expect(names).toEqual(routes.map(({ path, name }) => [path, name]));
    expect(Object.keys(document.paths).filter((path) => /admin|\*/.test(path))).toEqual([]);
  });

  it('equals the committed openapi.json; `npm run openapi` updates it', async () => {
    const committed = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
    const { text } = await service.get(`${service.baseUrl}/openapi.json`);
    expect(JSON.parse(text)).toEqual(JSON.parse(committed));
  });

  it('has bounds for every integer, and no format: int64', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('int64');
    for (const [schema] of text.matchAll(/\{[^{}]*"type":(?:"integer"|\["integer","null"\])[^{}]*/g)) {
      expect(schema).toMatch(/"minimum":.*"maximum":/);
    }
  });

  describe('its schemas and examples', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
    // The package is CommonJS. Node and TypeScript see its default export differently.
    (addFormatsModule as unknown as (ajv: Ajv2020) => void)(ajv);

    const validators = new Map<string, ValidateFunction>();

    function faultsOf(schema: object, value: unknown): unknown {
      const { schemas } = document.components;
      const key = JSON.stringify(schema);
      const validate = validators.get(key) ?? ajv.compile({ ...schema, components: { schemas } });
      validators.set(key, validate);
      return validate(value) ? undefined : { value, errors: validate.errors };
    }

    beforeAll(() => {
      ajv.addKeyword('components');
    });

    it('are JSON Schema 2020-12 without leftovers of OpenAPI 3.0', () => {
      for (const name of Object.keys(document.components.schemas)) {
        expect(() => faultsOf({ $ref: `#/components/schemas/${name}` }, {})).not.toThrow();
      }
      expect(JSON.stringify(document)).not.toMatch(/"(?:nullable|x-component-name|x-query)"/);
    });

    it('agree in every property', () => {
      for (const { properties = {} } of Object.values(document.components.schemas)) {
        for (const property of Object.values(properties)) {
          const examples = (Reflect.get(property, 'examples') ?? []) as unknown[];
          for (const example of examples) expect(faultsOf(property, example)).toBeUndefined();
        }
      }
    });

    it('agree in every body, which also has at least one example', () => {
      const contents = operations.flatMap(({ operation }) => [
        operation.requestBody?.content ?? {},
        ...Object.values(operation.responses).map(({ content }) => content ?? {}),
      ]);
      for (const { schema, example, examples } of contents.flatMap((content) => Object.values(content))) {
        const values = [
          ...(example === undefined ? [] : [example]),
          ...Object.values(examples ?? {}).map(({ value }) => value),
        ];
        for (const value of values) expect(faultsOf(schema, value)).toBeUndefined();
        // A referenced schema has the examples at its properties.
        expect(values.length > 0 || '$ref' in schema).toBe(true);
      }
    });

    it('agree in every parameter and header field', () => {
      const parts = operations.flatMap(({ operation }) => [
        ...operation.parameters,
        ...Object.values(operation.responses).flatMap(({ headers }) => Object.values(headers)),
      ]);
      for (const part of parts) {
        const { schema } = part;
        const examples = [
          ...((Reflect.get(schema, 'examples') ?? []) as unknown[]),
          ...('example' in part ? [part.example] : []),
        ];
        for (const example of examples) expect(faultsOf(schema, example)).toBeUndefined();
      }
    });
  });
});

describe('the OpenAPI document of', () => {
  async function documentOf(environment: Record<string, string>): Promise<Document> {
    return readDocument(await startService(environment));
  }

  it.each([
    ['BASE_PATH', '/blog'],
    ['PUBLIC_URL', 'https://example.com/blog'],
  ])('a service with a %s names it as its server', async (name, url) => {
    expect((await documentOf({ [name]: url })).servers).toEqual([{ url }]);
  });

  it('a service does not depend on API_TOKENS, CORS_ORIGINS and RATE_LIMIT', async () => {
    const limited = { API_TOKENS: TOKEN, CORS_ORIGINS: 'https://app.example', RATE_LIMIT: '100' };
    expect(await documentOf(limited)).toEqual(await documentOf({}));
  });
});

/**
 * Statuses that take too long to provoke here, or that need a fault of the service. For 429, see
 * rate-limit.http.e2e.ts; for 501, raw-sockets.http.e2e.ts.
 */
const NOT_PROVOKED = ['408', '409', '429', '500', '501', '503'];

/** Changes a request so that it gets a status. A status that is missing here needs no change. */
const PROVOCATIONS: Readonly<Record<string, (sent: Attempt) => Attempt>> = {
  204: withHeader('Prefer', 'return=minimal'),
  303: withHeader('Accept', 'text/html'),
  304: withHeader('If-None-Match', '*'),
  400: withHeader('Host', 'not a host'),
  401: withHeader('Authorization', `Bearer psa_${'0'.repeat(43)}`),
  403: withHeader('Host', 'elsewhere.example'),
  404: (sent) => ({ ...sent, target: sent.target.replace(/=\d+$/, '=999').replace(/[\w-]+\/$/, '0/') }),
  406: withHeader('Accept', 'image/png'),
  410: (sent) => ({ ...sent, target: `${sent.target}?deleted_after=2000-01-01` }),
  412: withHeader('If-Match', '"no-such-version"'),
  413: (sent) => ({ ...sent, json: aPost({ body: 'x'.repeat(2_000) }) }),
  415: withHeader('Content-Type', 'text/plain'),
  422: withHeader('Idempotency-Key', 'used'),
};

interface Attempt extends RequestOptions {
  target: string;
}

function withHeader(name: string, value: string): (sent: Attempt) => Attempt {
  return (sent) => ({ ...sent, headers: { ...sent.headers, [name]: value } });
}

describe('every operation of the OpenAPI document', () => {
  const services: Record<'open' | 'guarded', Service> = {} as never;

  beforeAll(async () => {
    services.open = await startService({ MAX_BODY_BYTES: '1500' });
    services.guarded = await startService({ API_TOKENS: TOKEN });
    await services.open.post(aPost({ title: 'Another' }), { 'Idempotency-Key': 'used' });
  });

  afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));

  /** A request that succeeds. */
  async function attempt(method: string, path: string): Promise<Attempt> {
    const { id } = await services.open.create();
    const onCollection = path === '/posts/' && (method === 'put' || method === 'delete');
    const target = path.replace('{id}', String(id)).replace('{slug}', 'invalid-request');
    return {
      target: onCollection ? `${target}?id=${id}` : target,
      ...(method === 'post' || method === 'put' ? { json: aPost({ title: 'As documented' }) } : {}),
    };
  }

  // The test harness validates each response against the document, so only the status is left to check.
  it('responds with each documented status', async () => {
    const document = await readDocument(services.open);
    const wrong: string[] = [];
    for (const { path, method, operation } of operationsOf(document)) {
      for (const status of Object.keys(operation.responses).filter((each) => !NOT_PROVOKED.includes(each))) {
        const sent = PROVOCATIONS[status]?.(await attempt(method, path)) ?? (await attempt(method, path));
        const service = status === '401' ? services.guarded : services.open;
        const response = await service.request(method.toUpperCase(), sent.target, sent);
        if (String(response.status) !== status) {
          wrong.push(`${method} ${path}: ${response.status} instead of ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('GET /openapi-client.json', () => {
  let service: Service;
  let full: Document;
  let client: Document;

  beforeAll(async () => {
    service = await startService({ BASE_PATH: '/blog' });
    const paths = ['/blog/openapi.json', '/blog/openapi-client.json'];
    [full, client] = (await Promise.all(paths.map(async (path) => (await service.get(path)).json()))) as [
      Document,
      Document,
    ];
  });

  afterAll(() => service.stop());

  it('has the operations with JSON bodies, with the ids of the full document', () => {
    const ids = operationsOf(client).map(({ operation }) => operation.operationId);
    const onPosts =
      'listPosts createPost replacePostByQuery deletePostByQuery getPost replacePost deletePost';
    const others = 'listDeletedPosts listProblems getProblem getLiveness getReadiness';
    expect(ids.join(' ')).toBe(`getEntryPoint ${onPosts} ${others}`);
    const all = operationsOf(full).map(({ operation }) => operation.operationId);
    expect(all).toEqual(expect.arrayContaining(ids));
  });

  it('has the URL of the service as its server', async () => {
    expect(client.servers).toEqual([{ url: service.baseUrl }]);
    const proxied = await startService({ PUBLIC_URL: 'https://posts.example/blog' });
    const { servers } = (await proxied.get('/openapi-client.json')).json<Document>();
    expect(servers).toEqual([{ url: 'https://posts.example/blog' }]);
    await proxied.stop();
  });

  it('has one request type, one success and one response type for each operation', () => {
    for (const { operation } of operationsOf(client)) {
      if (operation.requestBody)
        expect(Object.keys(operation.requestBody.content)).toEqual(['application/json']);
      const statuses = Object.keys(operation.responses);
      expect(statuses.filter((status) => status < '400')).toHaveLength(1);
      for (const response of Object.values(operation.responses)) {
        if ('$ref' in response) expect(response.$ref).toMatch(/^#\/components\/responses\/[A-Za-z]+$/);
        else
          expect(Object.keys(response.content ?? {})).toEqual(response.content ? ['application/json'] : []);
      }
    }
    const { responses } = client.components as unknown as { responses: Record<string, Response> };
    for (const { content } of Object.values(responses)) {
      expect(content).toEqual({
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          example: expect.any(Object),
        },
      });
    }
  });

  it('has nothing that makes a type lie, and no U+0000, which generators would write into source code', () => {
    const { parameters } = client.paths['/posts/']!['get']!;
    expect(JSON.stringify(parameters)).not.toMatch(/fields|If-Modified-Since|If-None-Match/);
    expect(client.paths['/posts/']!['delete']!.parameters[0]).toMatchObject({ name: 'id', required: true });
    expect(JSON.stringify(client)).not.toContain('u0000');
  });

  it('names each object schema, and has no readOnly properties', () => {
    const { schemas } = client.components;
    const named = Object.values(schemas).filter(({ properties }) => properties).length;
    expect(JSON.stringify(client).match(/"type":"object"/g)).toHaveLength(named);
    expect(JSON.stringify(schemas)).not.toContain('readOnly');
    expect(Object.keys(schemas['NewPost']!.properties)).toEqual(['title', 'pub_date', 'body']);
  });
});

describe('GET /openapi.yaml', () => {
  it('has the same content as /openapi.json, without anchors', async () => {
    const service = await startService();
    const [yaml, json] = await Promise.all([service.get('/openapi.yaml'), service.get('/openapi.json')]);
    expect(yaml.headers['content-type']).toBe('application/yaml');
    expect(parse(yaml.text)).toEqual(json.json());
    expect(yaml.text).not.toMatch(/[&*]a\d/);
    await service.stop();
  });
});

describe('GET /docs/', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService({ BASE_PATH: '/blog' });
  });

  afterAll(() => service.stop());

  it('serves a page with a policy that allows only what Swagger UI needs', async () => {
    const response = await service.get('/blog/docs/');
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
  });

  it('refers only to files of the service, by relative references', async () => {
    const { text } = await service.get('/blog/docs/');
    const references = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(4);
    for (const reference of references) {
      expect(reference).toMatch(/^(?:\.\.\/(?:openapi(?:-client)?\.(?:json|yaml)|admin\/|posts\/)|[\w.-]+)$/);
      const response = await fetch(new URL(reference, `${service.baseUrl}/docs/`));
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    expect(text).not.toMatch(/<script>|<style|\son\w+=/);
  });

  it.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['main.js', 'text/javascript; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['favicon.svg', 'image/svg+xml'],
  ])('serves %s, and answers 304 to its ETag', async (name, mediaType) => {
    const url = `${service.baseUrl}/docs/${name}`;
    const first = await fetch(url);
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe(mediaType);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
    const again = await fetch(url, { headers: { 'If-None-Match': first.headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  it.each(['package.json', 'page.html', '..%2Fpackage.json', 'constructor', 'a/b.js'])(
    'does not find %s',
    async (name) => {
      expect((await fetch(`${service.baseUrl}/docs/${name}`)).status).toBe(404);
    },
  );

  it.each([
    ['POST', 405],
    ['OPTIONS', 204],
  ])('answers %s of a file with %i', async (method, status) => {
    const response = await fetch(`${service.baseUrl}/docs/page.css`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([status, 'GET, HEAD, OPTIONS']);
  });
});
