import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';

const { service, admin, asAdmin } = await startAdminService();

const TITLES = ['zebra', 'École', 'Äpfel', 'Zebra', 'apfel', 'ähnlich', 'Ελλάδα', 'Ёлка', '10'];
const SORTED = ['10', 'ähnlich', 'Äpfel', 'apfel', 'École', 'zebra', 'Zebra', 'Ελλάδα', 'Ёлка'];

const list = (query: string): Promise<HttpResponse> => admin.get(`posts/?${query}`);

const titlesOf = (response: HttpResponse): string[] => response.json<PostJson[]>().map(({ title }) => title);

/** The titles of all pages of two posts. */
async function walk(query: string): Promise<string[]> {
  const titles: string[] = [];
  for (let target: string | undefined = `/admin/api/posts/?${query}&limit=2`; target !== undefined;) {
    const response = await service.get(target, asAdmin);
    titles.push(...titlesOf(response));
    target = parseLinks(response.headers['link'])['next'];
  }
  return titles;
}

let posts: PostJson[];
beforeAll(async () => {
  posts = await service.createAll(TITLES.map((title) => ({ title, body: 'ordered' })));
});

describe('GET /admin/api/posts/', () => {
  it('lists rows without bodies', async () => {
    const { id, title, pub_date } = posts[0]!;
    expect((await list('id=1')).json()).toEqual([{ id, title, pub_date }]);
    const refused = await list('ordering=title_key&fields=id');
    expect(refused.faultyPlaces).toEqual(['parameter fields', 'parameter ordering']);
  });

  it.each(['', '&search=ordered', '&pub_date_after=2001-01-01'])(
    'sorts titles without regard to case and diacritics, page by page%s',
    async (filter) => {
      expect(await walk(`ordering=title${filter}`)).toEqual(SORTED);
      expect(await walk(`ordering=-title${filter}`)).toEqual(SORTED.toReversed());
    },
  );

  it('has links back to the first page, whose cursors another order refuses', async () => {
    const { next } = parseLinks((await list('ordering=title&limit=2')).headers['link']);
    const { prev } = parseLinks((await service.get(next!, asAdmin)).headers['link']);
    expect(titlesOf(await service.get(prev!, asAdmin))).toEqual(SORTED.slice(0, 2));
    const cursor = new URL(next!).searchParams.get('cursor');
    const refused = await list(`ordering=-title&limit=2&cursor=${cursor}`);
    expect(refused.faultyPlaces).toEqual(['parameter cursor']);
    // The API sorts by code point.
    const response = await service.get('/posts/?ordering=title&search=ordered');
    expect(titlesOf(response)).toEqual(TITLES.toSorted());
  });

  it('is right after replacements, imports, deletions and restorations, also for titles that fold to longer ones', async () => {
    const changed = await service.create({ title: 'wörter', body: 'moving' });
    const deleted = await service.create({ title: 'Übung', body: 'moving' });
    await service.put(changed.path, { title: 'ÖL', body: 'moving' });
    await service.delete(deleted.path);
    await service.import('{"title":"Öffnung","body":"moving"}\n{"title":"nacht","body":"moving"}\n');
    expect(await walk('ordering=title&search=moving')).toEqual(['nacht', 'Öffnung', 'ÖL']);
    await admin.send('POST', 'restorations/', { ids: [deleted.id] });
    const long = await service.create({ title: '\ufdfa'.repeat(200), body: 'moving' });
    const titles = ['nacht', 'Öffnung', 'ÖL', 'Übung', long.title];
    expect(await walk('ordering=title&search=moving')).toEqual(titles);
  });
});

describe('GET /admin/api/posts/{id}/', () => {
  it('shows who made the post and changed it last, and its neighbours in the list', async () => {
    const body = 'beside another';
    const [a, b, c] = (
      await service.createAll(['apfel', 'Äpfel', 'École'].map((title) => ({ title, body })))
    ).map(({ id }) => id);
    await service.put(`/posts/${b}/`, { title: 'Äpfel', body: 'beside others' }, asAdmin);
    const get = async (id: number | undefined, query: string) =>
      (await admin.get(`posts/${id}/${query}`)).json();
    const byTitle = '?search=beside&ordering=title';
    expect(await get(b, byTitle)).toEqual({
      created: { at: expect.any(String), author: { kind: 'api', name: null } },
      changed: { at: expect.any(String), author: { kind: 'account', name: 'admin' } },
      previous: a,
      next: c,
    });
    expect(await get(a, byTitle)).toMatchObject({ changed: null, previous: null, next: b });
    expect(await get(b, '?search=beside&ordering=-title')).toMatchObject({ previous: c, next: a });
    expect(await get(c, '?search=beside&ordering=id')).toMatchObject({ previous: b, next: null });
    expect((await admin.get('posts/999999/')).status).toBe(404);
    expect((await admin.get(`posts/${a}/?limit=1`)).status).toBe(400);
  });
});
