import type { WholeRevisionDto } from '../../src/admin/revisions.controller.js';
import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';

const { service, admin, asAdmin } = await startAdminService();

const API = { kind: 'api', name: null };
const ADMIN = { kind: 'account', name: 'admin' };

const nextOf = ({ links }: HttpResponse): string => links['next']!;
const restore = (...ids: number[]) => admin.send('POST', 'restorations/', { ids });
const purge = (...ids: number[]) => admin.send('POST', 'purges/', { ids });
const revisionsOf = async (id: number) =>
  (await admin.get(`posts/${id}/revisions/`)).json<WholeRevisionDto[]>();
/** How many posts a bulk action has changed. */
const doneBy = ({ text }: HttpResponse): number => Number(/"done":(\d+)/.exec(text)![1]);

describe('GET /admin/api/posts/{id}/', () => {
  it('shows who made the post and changed it last', async () => {
    const [a, b] = (await service.createAll([{}, {}])).map(({ id }) => id);
    await service.put(`/posts/${b}/`, { title: 'changed', body: '' }, asAdmin);
    const get = async (id: number | undefined) => (await admin.get(`posts/${id}/`)).json();
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const created = { at, author: API };
    expect(await get(a)).toEqual({ created, changed: null });
    expect(await get(b)).toEqual({ created, changed: { at, author: ADMIN } });
    expect((await admin.get('posts/999999/')).status).toBe(404);
    expect((await admin.get(`posts/${a}/?limit=1`)).status).toBe(400);
  });
});

// test/posts/history.e2e.ts compares the versions with all changes.
describe('GET /admin/api/posts/{id}/revisions/', () => {
  it('refuses unknown posts, revisions and parameters, and a cursor of another post', async () => {
    const [a, b] = await service.createAll([{}, {}]);
    for (const path of [`${b!.id + 1000}/revisions/`, `007/revisions/`, `${a!.id}/revisions/2/`])
      expect((await admin.get(`posts/${path}`)).status).toBe(404);
    await service.put(`/posts/${a!.id}/`, { title: 'x', body: '' });
    const page = await admin.get(`posts/${a!.id}/revisions/?limit=1`);
    expect(page.headers['cache-control']).toBe('no-store');
    const cursor = new URL(nextOf(page)).searchParams.get('cursor');
    const response = await admin.get(`posts/${b!.id}/revisions/?cursor=${cursor}`);
    expect(response.faultyPlaces).toEqual(['parameter cursor']);
    const refused = await admin.get(`posts/${b!.id}/revisions/?colour=red&limit=0`);
    expect(refused.faultyPlaces).toEqual(['parameter colour', 'parameter limit']);
  });
});

describe('POST /admin/api/restorations/', () => {
  it('restores a post once when several requests arrive concurrently', async () => {
    const post = await service.create({ body: 'once more' });
    const found = async () => (await service.get(`/posts/?id=${post.id}`)).json();
    await service.delete(post.path);
    expect(await found()).toEqual([]);
    const responses = await Promise.all([restore(post.id), restore(post.id), restore(post.id)]);
    expect(responses.map(doneBy).toSorted((a, b) => a - b)).toEqual([0, 0, 1]);
    expect(await found()).toEqual([post]);
    await service.delete(post.path);
    const again = '{"done":1,"total":1}\n{"done":1,"total":1,"entry":null}\n';
    expect((await restore(post.id)).text).toBe(again);
  });
});

describe('POST /admin/api/posts/{id}/revisions/{number}/restorations/', () => {
  it('restores an earlier version, unless the post was changed meanwhile', async () => {
    const post = await service.create({ title: 'Versions', body: 'one' });
    // A replacement that changes nothing makes no version.
    for (const body of [post.body, 'two']) await service.put(post.path, { title: 'Versions', body });
    const path = `posts/${post.id}/revisions/1/restorations/`;
    expect((await admin.send('POST', path, { newest: 1 })).status).toBe(412);
    expect((await admin.send('POST', path, { newest: 2 })).status).toBe(204);
    expect((await service.get(post.path)).json()).toEqual(post);
    const actions = (await revisionsOf(post.id)).map(({ action }) => action);
    expect(actions).toEqual(['restored', 'changed', 'created']);
    const changes = (await admin.get('changes/?limit=2')).json<{ action: string; revision: number }[]>();
    expect(changes.map(({ action, revision }) => [action, revision])).toEqual([
      ['restored', 3],
      ['changed', 2],
    ]);
  });
});

describe('GET /admin/api/deleted-posts/', () => {
  it('leads back to the page before', async () => {
    const posts = await service.createAll([{ title: 'Fog 1' }, { title: 'Fog 2' }, { title: 'Fog 3' }]);
    for (const { id } of posts) await service.delete(`/posts/${id}/`);
    const follow = async (page: HttpResponse, relation: string): Promise<HttpResponse> =>
      service.get(page.links[relation]!, asAdmin);
    const first = await admin.get('deleted-posts/?limit=1');
    const third = await follow(await follow(first, 'next'), 'next');
    const second = await follow(third, 'prev');
    expect([first, second, third].map((page) => page.json<{ title: string }[]>()[0]!.title)).toEqual([
      'Fog 3',
      'Fog 2',
      'Fog 1',
    ]);
  });

  it('lists deleted posts, the last deletion first', async () => {
    const titles = ['Wörter im Titel', 'Ein anderer Titel', 'worten'];
    const posts = await service.createAll(titles.map((title) => ({ title })));
    for (const { id } of posts) await service.delete(`/posts/${id}/`, asAdmin);
    const newest = (await admin.get('deleted-posts/?limit=3')).json<{ id: number }[]>();
    const deleted = { deleted_at: expect.any(String), author: ADMIN };
    const shown = posts.map(({ id, title, pub_date }) => ({ id, title, pub_date, ...deleted }));
    expect(newest).toEqual(shown.toReversed());
    await restore(posts[2]!.id);
    const left = (await admin.get('deleted-posts/?limit=2')).json<{ id: number }[]>();
    expect(left).toEqual(shown.slice(0, 2).toReversed());
  });
});

describe('POST /admin/api/purges/', () => {
  it('deletes only deleted posts for good, with their history', async () => {
    const post = await service.create({ title: 'a secret' });
    await service.put(post.path, { title: 'a secret, too', body: '' });
    expect(doneBy(await purge(post.id))).toBe(0);
    await service.delete(post.path);
    expect(doneBy(await purge(post.id))).toBe(1);
    expect((await admin.get(`posts/${post.id}/revisions/`)).status).toBe(404);
    expect([doneBy(await restore(post.id)), doneBy(await purge(post.id))]).toEqual([0, 0]);
    const [last] = (await admin.get(`changes/?post_id=${post.id}`)).json<object[]>();
    expect(last).toMatchObject({ action: 'purged', author: ADMIN, title: null });
    expect((await admin.get('changes/?limit=1000')).text).not.toContain('a secret');
  });
});
