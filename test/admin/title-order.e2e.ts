import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';

const { service, asAdmin } = await startAdminService();

const TITLES = ['zebra', 'École', 'Äpfel', 'Zebra', 'apfel', 'ähnlich', 'Ελλάδα', 'Ёлка', '10'];
const SORTED = ['10', 'ähnlich', 'Äpfel', 'apfel', 'École', 'zebra', 'Zebra', 'Ελλάδα', 'Ёлка'];

const list = (query: string): Promise<HttpResponse> => service.get(`/admin/api/posts/?${query}`, asAdmin);

const titlesOf = (response: HttpResponse): string[] => response.json<PostJson[]>().map(({ title }) => title);

/** The titles of all pages of two posts, from the first one along `relation`. */
async function walk(query: string, relation = 'next'): Promise<string[]> {
  const titles: string[] = [];
  for (let target: string | undefined = `/admin/api/posts/?${query}&limit=2`; target !== undefined;) {
    const response = await service.get(target, asAdmin);
    titles.push(...titlesOf(response));
    target = parseLinks(response.headers['link'])[relation];
  }
  return titles;
}

let posts: PostJson[];
beforeAll(async () => {
  posts = await service.createAll(TITLES.map((title) => ({ title, body: 'ordered' })));
});

describe('GET /admin/api/posts/', () => {
  it('lists rows without bodies, to sessions only', async () => {
    const [row] = (await list('id=1')).json<PostJson[]>();
    const { id, title, pub_date } = posts[0]!;
    expect(row).toEqual({ id, title, pub_date });
    expect((await service.get('/admin/api/posts/')).status).toBe(401);
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
  });

  it('finds the neighbours of a post in this order', async () => {
    const idOf = (title: string): number => posts.find((post) => post.title === title)!.id;
    const context = await service.get(`/admin/api/posts/${idOf('apfel')}/?ordering=title`, asAdmin);
    expect(context.json()).toMatchObject({ previous: idOf('Äpfel'), next: idOf('École') });
  });

  it('leaves the order of the API by code point', async () => {
    const response = await service.get('/posts/?ordering=title&search=ordered');
    expect(titlesOf(response)).toEqual(TITLES.toSorted());
  });

  it('is right after replacements, imports, deletions and restorations', async () => {
    const changed = await service.create({ title: 'wörter', body: 'moving' });
    const deleted = await service.create({ title: 'Übung', body: 'moving' });
    await service.put(changed.path, { title: 'ÖL', body: 'moving' });
    await service.delete(deleted.path);
    await service.import('{"title":"Öffnung","body":"moving"}\n{"title":"nacht","body":"moving"}\n');
    expect(await walk('ordering=title&search=moving')).toEqual(['nacht', 'Öffnung', 'ÖL']);
    const restoration = { json: { ids: [deleted.id] }, headers: asAdmin };
    await service.request('POST', '/admin/api/restorations/', restoration);
    expect(await walk('ordering=title&search=moving')).toEqual(['nacht', 'Öffnung', 'ÖL', 'Übung']);
  });

  it('takes titles whose folded form is far longer', async () => {
    const long = await service.create({ title: '\ufdfa'.repeat(200), body: 'long' });
    expect(titlesOf(await list('ordering=title&search=long'))).toEqual([long.title]);
  });
});
