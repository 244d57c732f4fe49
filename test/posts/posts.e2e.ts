import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** The header fields of every representation of a post. */
const postHeaders = (etag: string) => ({
  'content-type': 'application/json',
  'cache-control': 'no-cache',
  vary: 'Accept, Accept-Encoding',
  etag,
});

/** A write also understands `Prefer`. */
const writtenHeaders = (etag: string) => ({ ...postHeaders(etag), vary: 'Accept, Accept-Encoding, Prefer' });

const unknownPost = (id: number) => ({
  type: 'about:blank',
  code: 'not-found',
  title: 'Not Found',
  status: 404,
  detail: `There is no post with the id ${id}.`,
});

describe('POST /posts/', () => {
  it('stores a post and answers 201 with it, its Location and its ETag', async () => {
    const sent = { body: 'The first post.', pub_date: '2026-11-20T14:40:00Z', title: 'Hello' };
    const response = await service.post(sent);
    const { id } = response.json<PostJson>();
    const { status, headers } = response.shown;
    const location = `${service.baseUrl}/posts/${id}/`;
    expect([status, headers]).toEqual([201, { ...writtenHeaders(`"${id}-1"`), location }]);
    expect(response.text).toBe(
      `{"id":${id},"title":"Hello","pub_date":"2026-11-20T14:40:00.000Z","body":"The first post."}`,
    );
    const stored = await service.get(location);
    expect(stored.shown).toMatchObject({ status: 200, headers: postHeaders(`"${id}-1"`) });
    expect(stored.text).toBe(response.text);
  });

  it('uses the current time when pub_date is missing', async () => {
    const before = Date.now();
    const { pub_date } = (await service.post({ title: 'a', body: '' })).json<PostJson>();
    expect(pub_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(pub_date)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(pub_date)).toBeLessThanOrEqual(Date.now());
  });
});

describe('PUT /posts/{id}/', () => {
  it('replaces the post and answers 200 with the stored post and its new ETag', async () => {
    const post = await service.create();
    const replacement = { title: 'New', pub_date: '2027-01-02T03:04:05.678Z', body: 'New body.' };
    const response = await service.put(post.path, replacement);
    const body = { id: post.id, ...replacement };
    expect(response.shown).toEqual({ status: 200, headers: writtenHeaders(`"${post.id}-2"`), body });
    const stored = { status: 200, headers: postHeaders(`"${post.id}-2"`), body };
    expect((await service.get(post.path)).shown).toEqual(stored);
  });

  it('keeps the stored date, to the microsecond, when pub_date is missing', async () => {
    const pub_date = '2001-02-03T04:05:06.789012Z';
    const post = await service.create({ pub_date });
    const response = await service.put(post.path, { title: 'New', body: '' });
    expect(response.json()).toEqual({ id: post.id, title: 'New', pub_date, body: '' });
  });

  it('changes nothing when the replacement is invalid', async () => {
    const post = await service.create();
    expect((await service.put(post.path, { ...aPost(), body: 7 })).faultyPlaces).toEqual(['pointer /body']);
    expect((await service.get(post.path)).json()).toEqual(post);
  });
});

describe('DELETE /posts/{id}/', () => {
  it('answers 204 without a body, and then the post does not exist', async () => {
    const post = await service.create();
    expect((await service.delete(post.path)).shown).toEqual({ status: 204, headers: {} });
    expect((await service.delete(post.path)).problem).toEqual(unknownPost(post.id));
    expect((await service.get(post.path)).problem).toEqual(unknownPost(post.id));
    expect((await service.put(post.path, aPost())).problem).toEqual(unknownPost(post.id));
    expect((await service.get(post.path)).status).toBe(404);
  });
});

describe('ids', () => {
  it('are never reused, even after the newest post is deleted', async () => {
    const first = await service.create();
    await service.delete(first.path);
    expect((await service.create()).id).toBeGreaterThan(first.id);
  });

  it('are assigned only by the service', async () => {
    const largest = '/posts/9007199254740991/';
    expect((await service.put(largest, aPost())).problem).toEqual(unknownPost(Number.MAX_SAFE_INTEGER));
    expect((await service.get(largest)).problem).toEqual(unknownPost(Number.MAX_SAFE_INTEGER));
  });
});
