import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** All posts, to show that the request changed no other post. */
async function everyPost(): Promise<PostJson[]> {
  const response = await service.get('/posts/?limit=1000&ordering=id', { Prefer: 'count=exact' });
  const posts = response.json<PostJson[]>();
  expect(response.headers['x-total-count']).toBe(String(posts.length));
  return posts;
}

const replacement = aPost({ title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' });

describe('PUT /posts/', () => {
  it.each<[string, (id: number) => { query: string; body: object }]>([
    ['the query', (id) => ({ query: `?id=${id}`, body: replacement })],
    ['the body', (id) => ({ query: '', body: { ...replacement, id } })],
    ['query and body', (id) => ({ query: `?id=${id}`, body: { ...replacement, id } })],
  ])('replaces only the post identified by %s', async (_, request) => {
    const post = await service.create();
    const others = (await everyPost()).filter(({ id }) => id !== post.id);
    const { query, body } = request(post.id);
    const response = await service.put(`/posts/${query}`, body);
    expect([response.status, response.etag]).toEqual([200, `"${post.id}-2"`]);
    expect(response.json()).toEqual({ id: post.id, ...replacement });
    expect(await everyPost()).toEqual([...others, { id: post.id, ...replacement }]);
  });

  it('answers 404 for an id that is not in use', async () => {
    const { id } = await service.create();
    expect((await service.put(`/posts/?id=${id + 1}`, replacement)).status).toBe(404);
    expect((await service.put('/posts/', { ...replacement, id: id + 1 })).status).toBe(404);
  });

  it.each<[string, string, object, string[]]>([
    ['no id at all', '', {}, ['parameter id']],
    ['a leading zero', '?id=01', {}, ['parameter id']],
    ['an additional unknown parameter', '?id=1&all=true', {}, ['parameter all']],
    ['the body’s id as a string', '', { id: '1' }, ['pointer /id']],
    ['query and body that disagree', '?id=1', { id: 2 }, ['pointer /id']],
    ['a good query and a bad body', '?id=1', { id: 'x' }, ['pointer /id']],
    ['a bad query and a bad body', '?id=01', { id: 'x' }, ['parameter id']],
  ])('refuses %s and changes nothing', async (_, query, body, places) => {
    await service.create();
    const before = await everyPost();
    const response = await service.put(`/posts/${query}`, { ...replacement, ...body });
    expect(response.faultyPlaces).toEqual(places);
    expect(await everyPost()).toEqual(before);
  });
});

describe('PUT /posts/{id}/', () => {
  it('accepts the same id in the body only, and refuses every other, and changes neither post', async () => {
    const [post, other] = await service.createAll([{}, {}]);
    const path = `/posts/${post!.id}/`;
    const before = await everyPost();
    const refused = await service.put(path, { ...replacement, id: other!.id });
    expect(refused.faultyPlaces).toEqual(['pointer /id']);
    expect((await service.put(`${path}?id=${post!.id}`, replacement)).faultyPlaces).toEqual(['parameter id']);
    expect(await everyPost()).toEqual(before);
    const response = await service.put(path, { ...replacement, id: post!.id });
    expect(response.json()).toEqual({ id: post!.id, ...replacement });
  });
});

describe('DELETE /posts/', () => {
  it('deletes only the post with the id in the query', async () => {
    const post = await service.create();
    const others = (await everyPost()).filter(({ id }) => id !== post.id);
    expect((await service.delete(`/posts/?id=${post.id}`)).shown).toEqual({ status: 204, headers: {} });
    expect(await everyPost()).toEqual(others);
    expect((await service.delete(`/posts/?id=${post.id}`)).status).toBe(404);
  });

  it.each([
    ['no id at all', '', ['parameter id']],
    ['several ids', '?id=1,2', ['parameter id']],
    ['a filter', '?title=A%20title', ['parameter title', 'parameter id']],
    ['a filter together with the id', '?id=1&title=A%20title', ['parameter title']],
  ])('refuses %s and changes nothing', async (_, query, places) => {
    await service.createAll([{}, {}]);
    const before = await everyPost();
    const response = await service.delete(`/posts/${query}`);
    expect(response.faultyPlaces).toEqual(places);
    expect(await everyPost()).toEqual(before);
  });

  it('reads the id from the query only, and ignores a body', async () => {
    const [one, other] = await service.createAll([{}, {}]);
    const before = await everyPost();
    expect((await service.request('DELETE', '/posts/', { json: { id: one!.id } })).status).toBe(400);
    expect(await everyPost()).toEqual(before);

    const json = { id: other!.id };
    expect((await service.request('DELETE', `/posts/?id=${one!.id}`, { json })).status).toBe(204);
    expect(await everyPost()).toEqual(before.filter(({ id }) => id !== one!.id));
  });
});
