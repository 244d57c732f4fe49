import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/schema.js';
import { startBuiltService, storePosts } from './support/running-service.js';

/** The target of the link to the next page. */
const NEXT = /<([^>]*)>; rel="next"/;

/** A list could be CSV, too; this is what is asked for. */
type Json = 'application/json' | 'application/problem+json';

describe('a client made by openapi-typescript and openapi-fetch', () => {
  let client: Client<paths, Json>;

  beforeAll(async () => {
    const baseUrl = await startBuiltService();
    client = createClient<paths, Json>({
      baseUrl,
      // Lists among the parameters are separated by commas.
      querySerializer: { array: { style: 'form', explode: false } },
    });
    await storePosts(baseUrl, 25);
  });

  it('takes a post through its whole life', async () => {
    const created = await client.POST('/posts/', { body: { title: 'Hello', body: 'World' } });
    expect(created.response.status).toBe(201);
    if (!created.data || !('id' in created.data)) throw new Error('No post was stored.');
    const { id } = created.data;
    const path = { id };

    const read = await client.GET('/posts/{id}/', { params: { path } });
    expect(read.data).toEqual(created.data);
    const etag = read.response.headers.get('ETag')!;

    const body = { title: 'Hello again', body: 'World' };
    const replaced = await client.PUT('/posts/{id}/', {
      params: { path, header: { 'If-Match': etag } },
      body,
    });
    expect(replaced.data).toEqual({ ...read.data, title: 'Hello again' });

    const late = await client.DELETE('/posts/{id}/', { params: { path, header: { 'If-Match': etag } } });
    expect(late.error).toMatchObject({ status: 412, title: expect.any(String) });

    const removed = await client.DELETE('/posts/{id}/', { params: { path } });
    expect(removed.response.status).toBe(204);
    const gone = await client.GET('/posts/{id}/', { params: { path } });
    expect(gone.error).toMatchObject({ status: 404, instance: `/posts/${id}/` });
  });

  it('is told that nothing has changed', async () => {
    const first = await client.GET('/posts/{id}/', { params: { path: { id: 1 } } });
    const header = { 'If-None-Match': first.response.headers.get('ETag')! };
    const second = await client.GET('/posts/{id}/', { params: { path: { id: 1 }, header } });
    expect(second.response.status).toBe(304);
  });

  it('walks through all pages', async () => {
    const titles: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { ordering: 'id', limit: 10, ...(cursor !== undefined && { cursor }) } as const;
      const { data, response } = await client.GET('/posts/', { params: { query } });
      titles.push(...data!.map(({ title }) => title));
      const next = NEXT.exec(response.headers.get('Link') ?? '')?.[1];
      cursor = next === undefined ? undefined : new URL(next).searchParams.get('cursor')!;
    } while (cursor !== undefined);
    expect(titles).toEqual(Array.from({ length: 25 }, (_, index) => `Post ${index + 1}`));
  });

  it('asks for several posts and some of their fields', async () => {
    const { data } = await client.GET('/posts/', {
      params: { query: { id: [3, 1], fields: ['id', 'title'], ordering: 'id' } },
    });
    expect(data).toEqual([
      { id: 1, title: 'Post 1' },
      { id: 3, title: 'Post 3' },
    ]);
  });

  it('is told all that is wrong at once', async () => {
    const body = { title: ' ', body: 'x', pub_date: 'yesterday' };
    const { error, response } = await client.POST('/posts/', { body });
    expect(response.status).toBe(400);
    expect(error?.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/pub_date']);
  });

  it('repeats a POST without storing it twice', async () => {
    const request = { params: { header: { 'Idempotency-Key': 'once' } }, body: { title: 'Once', body: '' } };
    const [first, second] = [await client.POST('/posts/', request), await client.POST('/posts/', request)];
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get('Idempotency-Replayed')).toBe('true');
  });
});
