import { type AxiosError, isAxiosError } from 'axios';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { axiosInstance } from '@kubb/plugin-client/clients/axios';
import { isErrorFromAlias } from '@zodios/core';
import createClient from 'openapi-fetch';
import { client as heyApiClient } from './generated/hey-api/client.gen.js';
import * as heyApi from './generated/hey-api/index.js';
import * as kubb from './generated/kubb/index.js';
import * as oazapfts from './generated/oazapfts.js';
import { ApiError, PostsService } from './generated/openapi-typescript-codegen/index.js';
import type { paths } from './generated/openapi-typescript.js';
import { createApiClient } from './generated/openapi-zod-client.js';
import * as orval from './generated/orval.js';
import { Api as SwaggerTypescriptApi, type HttpResponse } from './generated/swagger-typescript-api.js';
import { startBuiltService, storePosts } from './support/running-service.js';

interface Fields {
  readonly title: string;
  readonly body: string;
}

interface Post extends Fields {
  readonly id: number;
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly errors?: readonly { readonly pointer?: string }[];
}

/**
 * The result of a call: the value of a success or the problem of an error, and the header fields that later requests
 * need.
 */
interface Outcome<Value> {
  readonly value?: Value | undefined;
  readonly problem?: Problem | undefined;
  readonly etag?: string | null;
  readonly link?: string | null;
}

/** The operations of a generated client. Its own types must be assignable to these without casts. */
interface Client {
  create(fields: Fields): Promise<Outcome<Post>>;
  get(id: number): Promise<Outcome<Post>>;
  list(query: { limit: number; id: number[]; cursor?: string }): Promise<Outcome<readonly Post[]>>;
  replace(id: number, fields: Fields, etag: string): Promise<Outcome<Post>>;
  delete(id: number, etag: string): Promise<Outcome<unknown>>;
}

const ifMatch = (etag: string) => ({ headers: { 'If-Match': etag } });
const fieldsOf = (headers: Headers) => ({ etag: headers.get('ETag'), link: headers.get('Link') });

type Answer<Value> = { data?: Value | undefined; error?: Problem | undefined; response: Response };
function parsed<Value>(from: Answer<Value>): Outcome<Value> {
  return { value: from.data, problem: from.error, ...fieldsOf(from.response.headers) };
}

/** The address in the document, which all of these clients but openapi-fetch use by themselves. */
const document = readFileSync(join(import.meta.dirname, 'generated/openapi-client.json'), 'utf8');
const [{ url: baseUrl }] = (JSON.parse(document) as { servers: [{ url: string }] }).servers;

function openapiFetch(): Client {
  const client = createClient<paths>({ baseUrl });
  return {
    create: async (body) => parsed(await client.POST('/posts/', { body })),
    get: async (id) => parsed(await client.GET('/posts/{id}/', { params: { path: { id } } })),
    list: async (query) => parsed(await client.GET('/posts/', { params: { query } })),
    replace: async (id, body, etag) =>
      parsed(
        await client.PUT('/posts/{id}/', { params: { path: { id }, header: { 'If-Match': etag } }, body }),
      ),
    delete: async (id, etag) =>
      parsed(await client.DELETE('/posts/{id}/', { params: { path: { id }, header: { 'If-Match': etag } } })),
  };
}

/** Uses the plug-ins for dates and for zod, which validates requests and responses. */
function heyApiFetch(): Client {
  return {
    create: async (body) => parsed(await heyApi.createPost({ body })),
    get: async (id) => parsed(await heyApi.getPost({ path: { id } })),
    list: async (query) => parsed(await heyApi.listPosts({ query })),
    replace: async (id, body, etag) =>
      parsed(await heyApi.replacePost({ path: { id }, headers: { 'If-Match': etag }, body })),
    delete: async (id, etag) =>
      parsed(await heyApi.deletePost({ path: { id }, headers: { 'If-Match': etag } })),
  };
}

function orvalFetch(): Client {
  return {
    create: async (fields) => {
      const { status, data, headers } = await orval.createPost(fields);
      return status === 201 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    get: async (id) => {
      const { status, data, headers } = await orval.getPost(id);
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    list: async (query) => {
      const { status, data, headers } = await orval.listPosts(query);
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    replace: async (id, fields, etag) => {
      const { status, data, headers } = await orval.replacePost(id, fields, ifMatch(etag));
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    delete: async (id, etag) => {
      const { status, data } = await orval.deletePost(id, ifMatch(etag));
      return status === 204 ? {} : { problem: data };
    },
  };
}

function parsedOrError<Value>({ ok, data, error, headers }: HttpResponse<Value, Problem>): Outcome<Value> {
  return ok ? { value: data, ...fieldsOf(headers) } : { problem: error };
}

/** Without `format`, it does not read error bodies of an operation whose success has no body. */
function swaggerTypescriptApi(): Client {
  const { posts } = new SwaggerTypescriptApi({ baseApiParams: { format: 'json' } });
  return {
    create: async (fields) => parsedOrError(await posts.createPost(fields)),
    get: async (id) => parsedOrError(await posts.getPost(id)),
    list: async (query) => parsedOrError(await posts.listPosts(query)),
    replace: async (id, fields, etag) => parsedOrError(await posts.replacePost(id, fields, ifMatch(etag))),
    delete: async (id, etag) => parsedOrError(await posts.deletePost(id, ifMatch(etag))),
  };
}

async function caught<Value>(response: Promise<{ data: Value; headers: object }>): Promise<Outcome<Value>> {
  try {
    const { data, headers } = await response;
    return { value: data, ...fieldsOf(new Headers({ ...headers })) };
  } catch (error) {
    if (!isAxiosError<Problem>(error) || !error.response) throw error;
    return { problem: error.response.data };
  }
}

/** Uses axios, kubb's default. It throws on errors, and writes lists as `id[]=1` unless configured otherwise. */
function kubbAxios(): Client {
  axiosInstance.defaults.paramsSerializer = { indexes: null };
  return {
    create: (data) => caught(kubb.createPost({ data })),
    get: (id) => caught(kubb.getPost({ id })),
    list: (params) => caught(kubb.listPosts({ params })),
    replace: (id, data, etag) => caught(kubb.replacePost({ id, data, headers: { 'If-Match': etag } })),
    delete: (id, etag) => caught(kubb.deletePost({ id, headers: { 'If-Match': etag } })),
  };
}

/** It gives each header field, and the address has a default in the document. */
function oazapftsFetch(): Client {
  return {
    create: async (fields) => {
      const { status, data, headers } = await oazapfts.createPost(fields);
      return status === 201 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    get: async (id) => {
      const { status, data, headers } = await oazapfts.getPost(id);
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    list: async (query) => {
      const { status, data, headers } = await oazapfts.listPosts(query);
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    replace: async (id, fields, etag) => {
      const { status, data, headers } = await oazapfts.replacePost(id, fields, { ifMatch: etag });
      return status === 200 ? { value: data, ...fieldsOf(headers) } : { problem: data };
    },
    delete: async (id, etag) => {
      const deleted = await oazapfts.deletePost(id, { ifMatch: etag });
      return deleted.status === 204 ? {} : { problem: deleted.data };
    },
  };
}

/** A client whose calls return the body alone, without the `ETag` and the `Link`, and throw problems. */
interface ClientOfBodies {
  create(fields: Fields): Promise<Post>;
  get(id: number): Promise<Post>;
  list(query: { limit: number; offset: number; id: number[] }): Promise<readonly Post[]>;
  replace(id: number, fields: Fields, etag?: string): Promise<Post>;
  delete(id: number): Promise<unknown>;
  problemOf(error: unknown): Problem | undefined;
}

/** zodios, which uses axios and zod 3. `--media-type-expr` lets it read problems. */
function openapiZodClient(): ClientOfBodies {
  const client = createApiClient(baseUrl, { axiosConfig: { paramsSerializer: { indexes: null } } });
  return {
    create: (fields) => client.createPost(fields),
    get: (id) => client.getPost({ params: { id } }),
    list: (queries) => client.listPosts({ queries }),
    replace: (id, fields, etag) => client.replacePost(fields, { params: { id }, ...(etag && ifMatch(etag)) }),
    delete: (id) => client.deletePost(undefined, { params: { id } }),
    problemOf: (error) =>
      (['createPost', 'getPost', 'replacePost'] as const)
        .filter((alias) => isErrorFromAlias(client.api, alias, error))
        .map(() => (error as AxiosError<Problem>).response?.data)[0],
  };
}

function openapiTypescriptCodegen(): ClientOfBodies {
  return {
    create: (fields) => PostsService.createPost(fields),
    get: (id) => PostsService.getPost(id),
    list: ({ id, limit, offset }) =>
      PostsService.listPosts(id, undefined, undefined, undefined, undefined, limit, undefined, offset),
    replace: (id, fields, etag) => PostsService.replacePost(id, fields, etag),
    delete: (id) => PostsService.deletePost(id),
    problemOf: (error) => (error instanceof ApiError ? (error.body as Problem) : undefined),
  };
}

beforeAll(async () => {
  await storePosts(await startBuiltService({ PORT: new URL(baseUrl).port }), 3);
});

describe.each([
  ['openapi-fetch', openapiFetch],
  ['hey-api', heyApiFetch],
  ['orval', orvalFetch],
  ['swagger-typescript-api', swaggerTypescriptApi],
  ['kubb', kubbAxios],
  ['oazapfts', oazapftsFetch],
])('a client made by %s from /openapi-client.json', (_name, start) => {
  const client = start();

  it('creates, reads, replaces and deletes a post, and gets 412 for an old ETag', async () => {
    const created = await client.create({ title: 'Hello 🦊', body: 'World' });
    expect(created).toMatchObject({ value: { title: 'Hello 🦊', body: 'World' } });
    const { id } = created.value!;
    const read = await client.get(id);
    expect(read.value).toEqual(created.value);
    const replaced = await client.replace(id, { title: 'Hello again', body: '' }, read.etag!);
    expect(replaced.value).toEqual({ ...read.value, title: 'Hello again', body: '' });
    const late = await client.replace(id, { title: 'Too late', body: '' }, read.etag!);
    expect(late.problem).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect((await client.delete(id, read.etag!)).problem?.code).toBe('precondition-failed');
    expect((await client.delete(id, replaced.etag!)).problem).toBeUndefined();
    expect((await client.get(id)).problem).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('reads a list page by page', async () => {
    const first = await client.list({ limit: 1, id: [1, 3] });
    expect(first.value).toMatchObject([{ id: 3 }]);
    const next = /<([^>]*)>; rel="next"/.exec(first.link!)![1]!;
    const cursor = new URL(next).searchParams.get('cursor')!;
    const second = await client.list({ limit: 1, id: [1, 3], cursor });
    expect(second.value).toMatchObject([{ id: 1 }]);
    expect(second.link).not.toContain('rel="next"');
  });

  it('gets all faults at once', async () => {
    const { problem } = await client.create({ title: ' ', body: '\0' });
    expect(problem).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(problem?.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/body']);
  });
});

describe.each([
  ['openapi-zod-client', openapiZodClient],
  ['openapi-typescript-codegen', openapiTypescriptCodegen],
])('a client of bodies, made by %s from /openapi-client.json', (_name, start) => {
  const client = start();

  async function problemOf(call: Promise<unknown>): Promise<Problem | undefined> {
    return call.then(
      () => undefined,
      (error: unknown) => client.problemOf(error),
    );
  }

  it('creates, reads, replaces and deletes a post, and gets 412 for the ETag of another version', async () => {
    const created = await client.create({ title: 'Hello 🦊', body: 'World' });
    expect(created).toMatchObject({ title: 'Hello 🦊', body: 'World' });
    const { id } = created;
    expect(await client.get(id)).toEqual(created);
    const fields = { title: 'Hello again', body: '' };
    const late = await problemOf(client.replace(id, fields, '"of-another-version"'));
    expect(late).toMatchObject({ status: 412, code: 'precondition-failed' });
    expect(await client.replace(id, fields, '*')).toEqual({ ...created, ...fields });
    await client.delete(id);
    expect(await problemOf(client.get(id))).toMatchObject({ status: 404, code: 'not-found' });
  });

  it('reads a list page by page', async () => {
    const query = { limit: 1, id: [1, 3] };
    expect(await client.list({ ...query, offset: 0 })).toMatchObject([{ id: 3 }]);
    expect(await client.list({ ...query, offset: 1 })).toMatchObject([{ id: 1 }]);
    expect(await client.list({ ...query, offset: 2 })).toEqual([]);
  });

  it('gets all faults at once', async () => {
    const problem = await problemOf(client.create({ title: ' ', body: '\0' }));
    expect(problem).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(problem?.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/body']);
  });
});

describe('a client made by openapi-typescript and openapi-fetch', () => {
  const client = createClient<paths>({ baseUrl });

  it('gets 304 when nothing has changed', async () => {
    const params = { path: { id: 1 } };
    const { response: first } = await client.GET('/posts/{id}/', { params });
    const headers = { 'If-None-Match': first.headers.get('ETag') };
    const { response: second } = await client.GET('/posts/{id}/', { params, headers });
    expect(second.status).toBe(304);
  });

  it('repeats a POST without storing it twice', async () => {
    const request = { params: { header: { 'Idempotency-Key': 'once' } }, body: { title: 'Once', body: '' } };
    const [first, second] = [await client.POST('/posts/', request), await client.POST('/posts/', request)];
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get('Idempotency-Replayed')).toBe('true');
    const reused = await client.POST('/posts/', { ...request, body: { title: 'Twice', body: '' } });
    expect(reused.error?.code).toBe('idempotency-key-reused');
  });
});

describe('a client made by hey-api', () => {
  it('sends the token with operations that require it', async () => {
    const token = 'a-token-for-clients';
    heyApiClient.setConfig({ baseUrl: await startBuiltService({ API_TOKENS: token }) });
    const body = { title: 'Hello', body: '' };
    const refused = await heyApi.createPost({ body });
    expect(refused.error).toMatchObject({ status: 401, code: 'unauthorized' });
    const created = await heyApi.createPost({ body, auth: () => token });
    expect(created.data).toMatchObject(body);
  });
});
