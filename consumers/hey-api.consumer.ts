import { createClient, createConfig } from './generated/hey-api/client/index.js';
import type { ListPostsData, Post } from './generated/hey-api/index.js';
import * as api from './generated/hey-api/index.js';
import { startBuiltService } from './support/running-service.js';

describe('a client made by @hey-api/openapi-ts', () => {
  const client = createClient(createConfig());

  beforeAll(async () => {
    const baseUrl = await startBuiltService({ API_TOKENS: 'a-token-for-clients' });
    client.setConfig({ baseUrl, auth: () => 'a-token-for-clients' });
    const lines = [
      '{"title": "One", "body": "1"}',
      '{"title": "Two", "body": "2"}',
      '{"title": "Three", "body": "3"}',
    ];
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const apiResponse = await client.post({
      url: '/posts/',
      body: lines.join('\n'),
      bodySerializer: null,
      headers,
      security: [{ scheme: 'bearer', type: 'http' }],
    });
    if (apiResponse.error !== undefined) throw new Error(JSON.stringify(apiResponse.error));
  });

  it('takes a post through its whole life', async () => {
    const created = await api.createPost({
      client,
      body: { title: 'Hello', body: 'World' },
      throwOnError: true,
    });
    expect(created.response.status).toBe(201);
    const { id } = created.data as Post;
    const path = { id };

    const read = await api.getPost({ client, path, throwOnError: true });
    expect(read.data).toEqual(created.data);
    const headers = { 'If-Match': read.response.headers.get('ETag')! };

    const body = { title: 'Hello again', body: 'World' };
    const replaced = await api.replacePost({ client, path, headers, body, throwOnError: true });
    expect(replaced.data).toEqual({ ...read.data, title: 'Hello again' });

    const late = await api.deletePost({ client, path, headers });
    expect(late.error).toMatchObject({ status: 412 });

    const removed = await api.deletePost({ client, path });
    expect(removed.response.status).toBe(204);
    expect((await api.getPost({ client, path })).error).toMatchObject({ status: 404 });
  });

  it('pages, filters and orders', async () => {
    const query: ListPostsData['query'] = { ordering: 'id', limit: 1, id: [1, 3] };
    const first = await api.listPosts({ client, query });
    expect(first.data).toMatchObject([{ title: 'One' }]);
    const next = /<([^>]*)>; rel="next"/.exec(first.response.headers.get('Link')!)![1]!;
    const cursor = new URL(next).searchParams.get('cursor')!;
    const second = await api.listPosts({ client, query: { ...query, cursor } });
    expect(second.data).toMatchObject([{ title: 'Three' }]);
    expect(second.response.headers.get('Link')).not.toContain('rel="next"');
  });

  it('is told all that is wrong at once, and throws it if asked', async () => {
    const faulty = { client, body: { title: '', body: '', pub_date: 'yesterday' } };
    const { error } = await api.createPost(faulty);
    expect(error?.errors?.map(({ pointer }) => pointer)).toEqual(['/title', '/pub_date']);
    await expect(api.createPost({ ...faulty, throwOnError: true })).rejects.toMatchObject({ status: 400 });
  });

  it('is refused without a token', async () => {
    const stranger = createClient(createConfig({ baseUrl: client.getConfig().baseUrl! }));
    const { error } = await api.createPost({ client: stranger, body: { title: 'Hello', body: '' } });
    expect(error).toMatchObject({ status: 401 });
  });
});
