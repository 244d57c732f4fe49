import { SearchIndexRepository } from '../src/posts/search/search-index.repository.js';
import { parseLinks } from './support/links.js';
import type { PostJson } from './support/posts.js';
import { startService } from './support/service.js';

const service = await startService();
afterAll(() => service.stop());

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
];
const posts = await service.createAll(
  CORPUS.map(([title, body], index) => ({ title, body, pub_date: `2026-01-${10 + index}T00:00:00.000Z` })),
);
// So many others that a word of one post is rare in the list, and one of theirs is common.
const fillers = Array.from({ length: 2_400 }, (_, index) =>
  JSON.stringify({
    title: `filler ${index}`,
    body: index % 40 === 0 ? 'common middling' : 'common',
    pub_date: '2026-02-01T00:00:00Z',
  }),
);
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
expect((await service.request('POST', '/posts/', { headers: NDJSON, body: fillers.join('\n') })).status).toBe(
  201,
);

async function find(search: string, rest = ''): Promise<PostJson[]> {
  const answer = await service.get(`/posts/?search=${encodeURIComponent(search)}${rest}`);
  expect(answer.status).toBe(200);
  return answer.json<PostJson[]>();
}

describe('GET /posts/?search=', () => {
  it.each([
    ['creme', [0]],
    ['CAFÉ brulee', [0]],
    ['caf', [0]],
    ['strasse', [1]],
    ['weiss', [1]],
    ['οδυσσευς', [2]],
    ['ΜΟΥΣΑ', [2]],
    ['москва', [3]],
    ['елка', [3]],
    ['محمد سلام', [4]],
    ['東京', [5]],
    ['京', [5]],
    ['住んでいます', [5]],
    ['東京都', []],
    ['서울', [6]],
    ['🎉', [7]],
    ['👍', [7]],
    ['👩‍💻', [7]],
    ['100%', [8]],
    ['_sure_', [8]],
    ['"quoted"', [8]],
    ["o'reilly", [8]],
    ["'x':*", [8]],
    ['beta alpha', [9]],
    ['alpha bet', [9]],
    ['alph beta', []],
    ['alpha OR nothing', []],
    ['alpha NOT beta', []],
    ['%', []],
    ['!?…', []],
    ['*', []],
    ['c', [0, 8]],
  ])('%s', async (search, expected) => {
    const found = await find(search, '&pub_date_before=2026-02-01&ordering=id');
    expect(found).toEqual(expected.map((index) => posts[index]));
    // The same by the index alone: the whole list is too long to be walked for a rare word.
    const ids = (await find(search, '&ordering=id&limit=20')).map(({ id }) => id);
    expect(ids.filter((id) => id <= posts.at(-1)!.id)).toEqual(expected.map((index) => posts[index]!.id));
  });

  it.each(['-pub_date', 'pub_date', 'id', '-id', 'title', '-title'])(
    'pages by cursor through what it finds, by %s',
    async (ordering) => {
      for (const search of ['middling', 'commo', 'filler 7']) {
        const first = `/posts/?search=${encodeURIComponent(search)}&ordering=${ordering}&fields=id,title&limit=37`;
        const ids: number[] = [];
        for (let next: string | undefined = first; next !== undefined && ids.length < 150;) {
          const answer = await service.get(next);
          ids.push(...answer.json<PostJson[]>().map(({ id }) => id));
          next = parseLinks(answer.headers['link'])['next'];
        }
        const rest = `&ordering=${ordering}&fields=id&limit=1000`;
        const all = (await find(search, rest)).map(({ id }) => id);
        expect(ids).toEqual(all.slice(0, ids.length));
        expect(ids.length).toBeGreaterThan(50);
      }
    },
  );

  it('works with every other parameter and representation', async () => {
    const count = await service.get('/posts/?search=middling&limit=5&offset=3', { Prefer: 'count=exact' });
    expect(count.headers['x-total-count']).toBe('60');
    const stream = await service.get('/posts/?search=middling&fields=id', { Accept: 'application/x-ndjson' });
    expect(stream.text.trim().split('\n')).toHaveLength(60);
    const narrow = await find('alpha', `&id=${posts[9]!.id}&title=plain`);
    expect(narrow).toEqual([posts[9]]);
    expect(
      (await service.get('/posts/?search=%21%3F', { Prefer: 'count=exact' })).headers['x-total-count'],
    ).toBe('0');
  });

  it('takes a query of 10 kB', async () => {
    const words = Array.from({ length: 1_900 }, (_, index) => `w${index}`).join(' ');
    expect(await find(words)).toEqual([]);
    const { id } = await service.create({ body: words });
    expect((await find(words)).map((post) => post.id)).toEqual([id]);
  });

  it('finds a post as it is now, whatever changes it', async () => {
    const post = await service.create({ title: 'zebra', body: 'quagga' });
    expect(await find('zebra quagga')).toHaveLength(1);
    await service.put(post.path, { title: 'okapi', body: 'quagga' });
    expect([await find('zebra'), (await find('okapi quagga')).length]).toEqual([[], 1]);
    await service.delete(post.path);
    expect(await find('okapi')).toEqual([]);
  });

  it('finds words at the end of a very long text', async () => {
    const words = Array.from({ length: 150_000 }, (_, index) => `v${index.toString(36)}`).join(' ');
    const { id } = await service.create({ title: 'long', body: `${words} finis` });
    expect((await find('v0 finis')).map((post) => post.id)).toEqual([id]);
  });

  it.each(['', '&search=a', '%00'])('refuses search=a%s', async (rest) => {
    const target = rest === '' ? '/posts/?search=' : `/posts/?search=a${rest}`;
    const answer = await service.get(target);
    expect([answer.status, answer.faultyPlaces]).toEqual([400, ['parameter search']]);
  });

  it('refuses a cursor of another search', async () => {
    const { headers } = await service.get('/posts/?search=middling&limit=5');
    const other = parseLinks(headers['link'])['next']!.replace('middling', 'common');
    expect((await service.get(other)).faultyPlaces).toEqual(['parameter cursor']);
  });

  it('finds the same after the index was made anew', async () => {
    await service.app.get(SearchIndexRepository).rebuild(() => undefined);
    expect(await find('東京')).toEqual([posts[5]]);
    const { headers } = await service.get('/posts/?search=middling', { Prefer: 'count=exact' });
    expect(headers['x-total-count']).toBe('60');
  });
});
