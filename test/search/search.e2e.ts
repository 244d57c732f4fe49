import { fold } from '../../src/posts/folded-text.js';
import { freshDatabase } from '../support/database.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const CORPUS: readonly [title: string, body: string][] = [
  ['Crème brûlée', 'Le café est à côté.'],
  ['Große Straße', 'STRASSE und Weiß'],
  ['ΟΔΥΣΣΕΎΣ', 'ἄνδρα μοι ἔννεπε, Μοῦσα'],
  ['Москва', 'Ёлка на площади'],
  ['مُحَمَّد', 'ســـلام عليكم'],
  ['日記', '私は東京に住んでいます。京都も好きです。'],
  ['서울에서', '한국어 문장'],
  ['Party 🎉🎉', 'yes 👍🏿 and 👩🏽‍💻'],
  ['100% _sure_ "quoted"', `it's a*b, O'Reilly & co: 'x':* | !y`],
  ['plain', 'alpha beta gamma'],
  ['दान', 'がま กา'],
];
const posts = await service.createAll(
  CORPUS.map(([title, body], index) => ({ title, body, pub_date: `2026-01-${10 + index}T00:00:00.000Z` })),
);
// Enough posts that a word of one post is rare, one word of the fillers is common, and one is common at one end only.
const FILLERS = Array.from({ length: 2_400 }, (_, index) => ({
  title: `filler ${index}`,
  body: `common${index % 40 === 0 ? ' middling' : ''}${index < 800 ? ' early' : ''}${index % 3 === 0 ? ' müde' : ''}`,
  pub_date: `2026-02-01T00:00:00.${String(index % 1_000).padStart(3, '0')}Z`,
}));
const fillers = FILLERS.map((filler) => JSON.stringify(filler));
const imported = await service.import(fillers.join('\n'));
expect(imported.status).toBe(201);
const { first_id: firstFiller } = imported.json<{ first_id: number }>();

async function find(search: string, rest = ''): Promise<PostJson[]> {
  const response = await service.get(`/posts/?search=${encodeURIComponent(search)}${rest}`);
  expect(response.status).toBe(200);
  return response.json<PostJson[]>();
}

// src/search/fold.spec.ts has the rules of all scripts.
describe('GET /posts/?search=', () => {
  it.each([
    ['creme', [0]],
    ['東京', [5]],
    ['東京都', []],
    ['👩‍💻', [7]],
    ['100%', [8]],
    ['"quoted"', [8]],
    ["'x':*", [8]],
    ['दान', [10]],
    ['दिन', []],
    ['かま', []],
    ['がま', [10]],
    ['กิ', []],
    ['กา', [10]],
    ['beta alpha', [9]],
    ['alpha bet', [9]],
    ['alph beta', []],
    ['alpha NOT beta', []],
    ['!?…', []],
    ['c', [0, 8]],
  ])('finds exactly the matching posts: %s', async (search, expected) => {
    const found = await find(search, '&pub_date_before=2026-02-01&ordering=id');
    expect(found).toEqual(expected.map((index) => posts[index]));
    // The same search by the index alone: for a rare word, the service does not scan such a long list.
    const ids = (await find(search, '&ordering=id&limit=20')).map(({ id }) => id);
    expect(ids.filter((id) => id <= posts.at(-1)!.id)).toEqual(expected.map((index) => posts[index]!.id));
  });

  /** The ids of the fillers that have the words, in the list's order. */
  function fillersWith(search: string, ordering: string): number[] {
    const words = search.split(' ').map(fold);
    const field = ordering.replace('-', '') as 'id' | 'title' | 'pub_date';
    const sign = ordering.startsWith('-') ? -1 : 1;
    return FILLERS.map((filler, index) => ({ ...filler, id: firstFiller + index }))
      .filter(({ body }) => words.every((word) => ` ${fold(body)}`.includes(` ${word}`)))
      .toSorted((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id))
      .map(({ id }) => id);
  }

  it.each(['-pub_date', 'id', 'title'])(
    'finds the right matches by cursor, forwards and backwards, and at any offset: ordered by %s',
    async (ordering) => {
      const list = `pub_date_after=2026-02-01&ordering=${ordering}&fields=id`;
      const idsOf = (response: HttpResponse) => response.json<PostJson[]>().map(({ id }) => id);
      for (const search of ['middling', 'early mid', 'mude early']) {
        const all = fillersWith(search, ordering);
        const ids: number[] = [];
        let at: string | undefined = `/posts/?search=${encodeURIComponent(search)}&${list}&limit=50`;
        while (at !== undefined) {
          const response = await service.get(at);
          const { next, prev } = response.links;
          if (prev !== undefined) expect(idsOf(await service.get(prev))).toEqual(ids.slice(-50));
          ids.push(...idsOf(response));
          at = next;
        }
        expect(ids).toEqual(all);
      }
      for (const search of ['early', 'common', 'müd', 'common early', 'singular']) {
        const all = fillersWith(search, ordering);
        for (const offset of [0, 3, 700]) {
          const limit = 20 + offset;
          const query = `search=${encodeURIComponent(search)}&${list}&offset=${offset}&limit=${limit}`;
          const page = await service.get(`/posts/?${query}`);
          expect(idsOf(page)).toEqual(all.slice(offset, offset + limit));
          expect('next' in page.links).toBe(all.length > offset + limit);
        }
      }
    },
  );

  it('combines with count=exact, limit, offset, filters, fields and NDJSON', async () => {
    const count = await service.get('/posts/?search=middling&limit=5&offset=3', { Prefer: 'count=exact' });
    expect(count.headers['x-total-count']).toBe('60');
    const other = count.links['next']!.replace('middling', 'common');
    expect((await service.get(other)).faultyPlaces).toEqual(['parameter cursor']);
    const stream = await service.get('/posts/?search=middling&fields=id', { Accept: 'application/x-ndjson' });
    expect(stream.text.trim().split('\n')).toHaveLength(60);
    const narrow = await find('alpha', `&id=${posts[9]!.id}&title=plain`);
    expect(narrow).toEqual([posts[9]]);
    const nothing = await service.get('/posts/?search=%21%3F', { Prefer: 'count=exact' });
    expect(nothing.headers['x-total-count']).toBe('0');
  });

  it('accepts a search text of 200 characters', async () => {
    const words = Array.from({ length: 50 }, (_, index) => `w${10 + index}`).join(' ');
    expect(words.length).toBe(199);
    const { id } = await service.create({ body: words });
    expect((await find(`${words}𝒳`)).map((post) => post.id)).toEqual([]);
    expect((await find(words)).map((post) => post.id)).toEqual([id]);
  });

  it('finds a post by its current text after PUT, and not after DELETE', async () => {
    const post = await service.create({ title: 'zebra', body: 'quagga' });
    expect(await find('zebra quagga')).toHaveLength(1);
    await service.put(post.path, { title: 'okapi', body: 'quagga' });
    expect([await find('zebra'), (await find('okapi quagga')).length]).toEqual([[], 1]);
    await service.delete(post.path);
    expect(await find('okapi')).toEqual([]);
  });

  it('ends a rebuild when the service stops', async () => {
    const database = await freshDatabase();
    const start = () => startService({ DATABASE_URL: database.url });
    const filled = await start();
    await filled.import('{"title":"rebuilt","body":""}\n'.repeat(3_200));
    await filled.stop();
    await database.execute(`UPDATE posts_state SET search_version = 'older'`);
    const rebuilding = await start();
    await rebuilding.stop();
    expect(rebuilding.log.map(({ msg }) => msg)).toContain(
      'The search index is missing or older than this version; it is being rebuilt.',
    );
    const state = await database.query('SELECT search_version FROM posts_state');
    expect(state).toEqual([{ search_version: 'older' }]);
    await database.remove();
  });
});
