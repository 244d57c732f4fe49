import createClient, { type Client } from 'openapi-fetch';
import { client as heyApiClient } from './generated/hey-api/client.gen.js';
import { createPost, getPost } from './generated/hey-api/index.js';
import type { paths } from './generated/openapi-typescript.js';
import { startBuiltService, storePosts } from './support/running-service.js';

const TOKEN = 'a-token-for-clients';

describe('a client made by openapi-typescript and openapi-fetch', () => {
  let client: Client<paths>;

  beforeAll(async () => {
    const baseUrl = await startBuiltService();
    await storePosts(baseUrl, 1);
    client = createClient<paths>({ baseUrl });
  });

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

describe('a client made by hey-api, with a token', () => {
  beforeAll(async () => {
    heyApiClient.setConfig({ baseUrl: await startBuiltService({ API_TOKENS: TOKEN }) });
  });

  it('sends the token with operations that require it', async () => {
    const body = { title: 'Hello', body: '' };
    const refused = await createPost({ body });
    expect(refused.error).toMatchObject({ status: 401, code: 'unauthorized' });
    const created = await createPost({ body, auth: () => TOKEN });
    expect(created.data).toMatchObject({ title: 'Hello' });
    const { data } = await getPost({ path: { id: created.data!.id } });
    expect(data).toEqual(created.data);
  });
});
