import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import { parseLinks } from '../support/links.js';

const { service, admin, asAdmin } = await startAdminService({ HISTORY_DAYS: '30' });

interface AuthorJson {
  kind: string;
  name: string | null;
}
interface RevisionJson {
  number: number;
  action: string;
  at: string;
  author: AuthorJson;
  title: string;
  pub_date: string;
  body?: string;
}
interface ChangeJson {
  id: number;
  post_id: number;
  last_post_id?: number;
  action: string;
  at: string;
  author: AuthorJson;
  title: string | null;
}

const API: AuthorJson = { kind: 'api', name: null };
const ADMIN: AuthorJson = { kind: 'account', name: 'admin' };

const linksOf = ({ headers }: HttpResponse): Record<string, string> => parseLinks(headers['link']);
const restore = (...ids: number[]) => admin.send('POST', 'restorations/', { ids });

async function revisionsOf(id: number): Promise<RevisionJson[]> {
  return (await admin.get(`posts/${id}/revisions/`)).json<RevisionJson[]>();
}

describe('GET /admin/api/posts/{id}/revisions/', () => {
  it('lists the versions of a post, newest first, with their authors', async () => {
    const post = await service.create({ title: 'one', pub_date: '2026-01-01T00:00:00.123456Z' });
    await service.put(post.path, { title: 'two', body: 'second' }, asAdmin);
    const before = await service.get(post.path);
    await service.delete(post.path, asAdmin);
    const response = await admin.get(`posts/${post.id}/revisions/`);
    expect(response.headers['cache-control']).toBe('no-store');
    const common = { at: expect.any(String), pub_date: '2026-01-01T00:00:00.123456Z' };
    expect(response.json()).toEqual([
      { number: 3, action: 'deleted', author: ADMIN, title: 'two', ...common },
      { number: 2, action: 'changed', author: ADMIN, title: 'two', ...common },
      { number: 1, action: 'created', author: API, title: 'one', ...common },
    ]);
    const times = response.json<RevisionJson[]>().map(({ at }) => Date.parse(at));
    expect(times.every((at) => Math.abs(at - Date.now()) < 60_000)).toBe(true);
    expect(before.etag).toBe(`"${post.id}-2"`);
    const bodies = await Promise.all(
      [1, 2, 3].map((number) => admin.get(`posts/${post.id}/revisions/${number}/`)),
    );
    expect(bodies.map((each) => each.json<RevisionJson>().body)).toEqual([post.body, 'second', 'second']);
  });

  it('has no entry for a replacement that changes nothing', async () => {
    const post = await service.create({ title: 'same' });
    await service.put(post.path, { title: post.title, body: post.body }, asAdmin);
    expect(await revisionsOf(post.id)).toHaveLength(1);
  });

  it('answers 404 for an unknown post and an unknown revision', async () => {
    const post = await service.create();
    const statuses = await Promise.all(
      [
        `posts/${post.id + 1000}/revisions/`,
        `posts/007/revisions/`,
        `posts/${post.id}/revisions/2/`,
        `posts/${post.id}/revisions/0/`,
      ].map(async (target) => (await admin.get(target)).status),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
  });

  it('refuses a cursor of another post, an unknown parameter, and a request without a session', async () => {
    const [a, b] = await service.createAll([{}, {}]);
    await service.put(`/posts/${a!.id}/`, { title: 'x', body: '' });
    const next = linksOf(await admin.get(`posts/${a!.id}/revisions/?limit=1`))['next']!;
    const cursor = new URL(next).searchParams.get('cursor');
    const response = await admin.get(`posts/${b!.id}/revisions/?cursor=${cursor}`);
    expect(response.faultyPlaces).toEqual(['parameter cursor']);
    const refused = await admin.get(`posts/${b!.id}/revisions/?colour=red&limit=0`);
    expect(refused.faultyPlaces).toEqual(['parameter colour', 'parameter limit']);
    expect((await service.get(`/admin/api/posts/${b!.id}/revisions/`)).status).toBe(401);
  });
});

describe('POST /admin/api/restorations/', () => {
  it('restores deleted posts with their ids and a new ETag', async () => {
    const post = await service.create({ title: 'back again', body: 'findable once more' });
    const tags = [post.etag];
    await service.delete(post.path);
    expect((await service.get('/posts/?search=findable')).json()).toEqual([]);
    const response = await restore(post.id);
    expect(response.status).toBe(200);
    expect(response.text).toBe('{"done":1,"total":1}\n{"done":1,"total":1,"entry":null}\n');
    const restored = await service.get(post.path);
    expect(restored.json()).toEqual(post);
    expect(tags).not.toContain(restored.etag);
    expect((await service.get('/posts/?search=findable')).json()).toEqual([post]);
    expect((await revisionsOf(post.id)).map(({ action, author }) => [action, author])).toEqual([
      ['restored', ADMIN],
      ['deleted', API],
      ['created', API],
    ]);
    // A second restore works, too, with the same id.
    await service.delete(post.path);
    expect((await restore(post.id)).status).toBe(200);
    expect((await service.get(post.path)).etag).toBe(`"${post.id}-5"`);
    expect((await service.create()).id).toBeGreaterThan(post.id);
  });

  it('restores the posts that are deleted, and skips the others', async () => {
    const [gone, there] = await service.createAll([{ title: 'gone' }, { title: 'there' }]);
    await service.delete(`/posts/${gone!.id}/`);
    expect((await restore(gone!.id, there!.id, 9_000_000)).text).toContain('{"done":1,"total":3}');
    expect((await service.get(`/posts/${gone!.id}/`)).status).toBe(200);
    expect((await service.get(`/posts/${there!.id}/`)).etag).toBe(`"${there!.id}-1"`);
  });

  it('restores a post once when several requests arrive concurrently', async () => {
    const post = await service.create();
    await service.delete(post.path);
    const responses = await Promise.all([restore(post.id), restore(post.id), restore(post.id)]);
    const restored = responses.map(({ text }) => Number(/"done":(\d)/.exec(text)![1]));
    expect(restored.toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
  });

  it.each([
    [{}, ''],
    [{ ids: [1], entry: 1 }, ''],
    [{ entry: 1, count: 1 }, ''],
    [{ entry: 0 }, '/entry'],
    [{ ids: [] }, '/ids'],
    [{ ids: [1, 1] }, '/ids'],
    [{ ids: ['1'] }, '/ids'],
    [{ ids: [0] }, '/ids'],
    [{ ids: [1], count: 1 }, ''],
  ])('refuses %j', async (json, pointer) => {
    const response = await admin.send('POST', 'restorations/', json);
    expect(response.faultyPlaces).toEqual([`pointer ${pointer}`]);
  });
});

describe('a selection', () => {
  it('has at most 20,000 ids', async () => {
    const ids = Array.from({ length: 20_001 }, (_, index) => 1_000_000 + index);
    const send = (json: object) => admin.send('POST', 'restorations/', json);
    expect((await send({ ids })).faultyPlaces).toEqual(['pointer /ids']);
    expect((await send({ ids: ids.slice(1) })).text).toContain('{"done":0,"total":20000,');
  });
});

describe('/admin/api/deleted-posts/', () => {
  it('lists deleted posts, the last deletion first, and finds them by their titles', async () => {
    const titles = ['Wörter im Titel', 'Ein anderer Titel', 'worten'];
    const posts = await service.createAll(titles.map((title) => ({ title })));
    for (const { id } of posts) await service.delete(`/posts/${id}/`, asAdmin);
    const newest = (await admin.get('deleted-posts/?limit=3')).json<{ id: number }[]>();
    const deleted = { deleted_at: expect.any(String), author: ADMIN };
    const shown = posts.map(({ id, title, pub_date }) => ({ id, title, pub_date, ...deleted }));
    expect(newest).toEqual(shown.toReversed());
    const found = (await admin.get('deleted-posts/?search=wort')).json<{ title: string }[]>();
    expect(found.map(({ title }) => title)).toEqual(['worten', 'Wörter im Titel']);
    const page = await admin.get('deleted-posts/?search=titel&limit=1');
    const next = await service.get(linksOf(page)['next']!, asAdmin);
    expect(page.json<object[]>().concat(next.json<object[]>())).toMatchObject([
      { title: 'Ein anderer Titel' },
      { title: 'Wörter im Titel' },
    ]);
    await restore(posts[2]!.id);
    expect((await admin.get('deleted-posts/?search=worten')).json()).toEqual([]);
  });

  it('purges a post permanently', async () => {
    const post = await service.create({ title: 'a secret' });
    await service.put(post.path, { title: 'a secret, too', body: '' });
    const purge = (): Promise<HttpResponse> => admin.send('POST', 'purges/', { ids: [post.id] });
    expect((await purge()).text).toContain('"done":0');
    await service.delete(post.path);
    expect((await purge()).text).toContain('"done":1');
    expect((await admin.get(`posts/${post.id}/revisions/`)).status).toBe(404);
    expect((await restore(post.id)).text).toContain('"done":0');
    expect((await purge()).text).toContain('"done":0');
    const [last] = (await admin.get(`changes/?post_id=${post.id}`)).json<ChangeJson[]>();
    expect(last).toMatchObject({ action: 'purged', author: ADMIN, title: null });
    expect((await admin.get('changes/?limit=1000')).text).not.toContain('a secret');
  });
});

describe('GET /admin/api/changes/', () => {
  const actions = async (query: string): Promise<(string | number | null)[][]> =>
    (await admin.get(`changes/?${query}`))
      .json<ChangeJson[]>()
      .map(({ action, post_id, title }) => [action, post_id, title]);

  it('lists all changes, newest first, and filters them', async () => {
    const start = new Date().toISOString();
    const [a, b] = await service.createAll([{ title: 'log a' }, { title: 'log b' }]);
    await service.put(`/posts/${a!.id}/`, { title: 'log a2', body: '' }, asAdmin);
    await service.delete(`/posts/${b!.id}/`, asAdmin);
    const all = [
      ['deleted', b!.id, 'log b'],
      ['changed', a!.id, 'log a2'],
      ['created', b!.id, 'log b'],
      ['created', a!.id, 'log a'],
    ];
    const since = `after=${encodeURIComponent(start)}`;
    expect(await actions(since)).toEqual(all);
    expect(await actions(`${since}&limit=2`)).toEqual(all.slice(0, 2));
    expect(await actions(`${since}&author_kind=account`)).toEqual(all.slice(0, 2));
    expect(await actions(`${since}&author_kind=account&author_name=admin`)).toEqual(all.slice(0, 2));
    expect(await actions(`${since}&author_name=admin&action=changed`)).toEqual([all[1]]);
    expect(await actions(`${since}&author_kind=account&author_name=nobody`)).toEqual([]);
    expect(await actions(`${since}&action=deleted`)).toEqual([all[0]]);
    expect(await actions(`${since}&action=created`)).toEqual(all.slice(2));
    expect(await actions(`post_id=${a!.id}`)).toEqual([all[1], all[3]]);
    const earlier = `before=${encodeURIComponent(start)}&after=2020-01-01&limit=1000`;
    expect(await actions(earlier)).not.toContainEqual(all[3]);
    expect(await actions('before=2020-01-01')).toEqual([]);
    expect(await actions('after=9999-12-31')).toEqual([]);
  });

  it('has one entry for an import, found by the id of each imported post', async () => {
    const body = Array.from({ length: 700 }, (_, index) => JSON.stringify({ title: `i ${index}`, body: '' }));
    const response = await service.import(body.join('\n'), asAdmin);
    const { first_id, last_id } = response.json<{ first_id: number; last_id: number }>();
    const [entry, ...others] = (await admin.get('changes/?action=imported')).json<ChangeJson[]>();
    expect(entry).toEqual({
      id: expect.any(Number),
      post_id: first_id,
      last_post_id: last_id,
      action: 'imported',
      at: expect.any(String),
      author: ADMIN,
      title: null,
      address: '127.0.0.1',
      subject: null,
      detail: null,
      count: 1,
    });
    expect(others).toEqual([]);
    const middle = first_id + 300;
    expect((await admin.get(`changes/?post_id=${middle}`)).json<ChangeJson[]>()).toEqual([entry]);
    expect(await revisionsOf(middle)).toMatchObject([{ number: 1, action: 'imported', author: ADMIN }]);
  });

  it('refuses invalid filter values', async () => {
    const response = await admin.get('changes/?action=eaten&author_kind=dog&post_id=0&after=yesterday');
    const names = ['action', 'after', 'author_kind', 'post_id'];
    expect(response.faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`));
  });
});

describe('the public API', () => {
  it('does not show the history', async () => {
    const post = await service.create();
    await service.put(post.path, { title: 'new', body: '' }, asAdmin);
    const shown = (await service.get(post.path)).json<object>();
    expect(Object.keys(shown)).toEqual(['id', 'title', 'pub_date', 'body']);
    expect((await service.get('/openapi.json')).text).not.toContain('evision');
  });
});
