import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

// So many posts have the word that the database collects them all, and none of the newest posts has it.
const OLD_POSTS = 10_400;
const NEW_POSTS = 1_100;

const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** Each in a second of its own. */
const old = Array.from({ length: OLD_POSTS }, (_, index) => ({
  title: `old ${(index * 7_919) % OLD_POSTS}`,
  body: index % 2 === 0 ? 'ancient even' : 'ancient',
  pub_date: `2001-01-01T${[index / 3_600, (index / 60) % 60, index % 60].map((part) => twoDigits(Math.floor(part))).join(':')}Z`,
}));
const recent = Array.from({ length: NEW_POSTS }, (_, index) => ({
  ...aPost({ title: `new ${index}`, body: 'modern' }),
  pub_date: '2020-01-01T00:00:00Z',
}));
const imported = await service.import([...old, ...recent].map((post) => JSON.stringify(post)).join('\n'));
expect(imported.status).toBe(201);
const { first_id: firstId } = imported.json<{ first_id: number }>();

/** The words of so long a post are stored in parts on PostgreSQL. */
const words = Array.from({ length: 5_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
const long = await service.create({
  title: 'long',
  body: `ancient ${words} even`,
  pub_date: '2001-01-01T01:00:00.500Z',
});
const LONG = { ...long, title: long.title, isEven: true };

interface Row {
  readonly id: number;
  readonly title: string;
  readonly pub_date: string;
  readonly isEven: boolean;
}
const rows: Row[] = old.map(({ title, body, pub_date }, index) => ({
  id: firstId + index,
  title,
  pub_date: pub_date.replace('Z', '.000Z'),
  isEven: body.endsWith('even'),
}));
rows.push(LONG);

describe('GET /posts/?search= of a word of many posts, but not of the newest', () => {
  it.each<[ordering: string, filter: string, search: string]>([
    ['title', 'pub_date_after=2001-01-01T00:10:00Z', 'ancient'],
    ['title', 'pub_date_before=2001-01-01T01:00:01Z', 'even ancient'],
    ['-pub_date', 'modified_after=2000-01-01', 'anc'],
    ['title', 'pub_date_after=2001-01-01T00:30:00Z&pub_date_before=2001-01-01T00:30:10Z', 'even'],
  ])(
    'finds those of a filter that is not in the order of the list: %s, %s, %s',
    async (ordering, filter, search) => {
      const field = ordering.replace('-', '') as 'title' | 'pub_date';
      const sign = ordering.startsWith('-') ? -1 : 1;
      const parameters = new URLSearchParams(filter);
      const before = parameters.get('pub_date_before') ?? '2002';
      const matching = rows
        .filter(({ isEven }) => isEven || !search.includes('even'))
        .filter(
          (row) =>
            row.pub_date >= (parameters.get('pub_date_after') ?? '').replace(/Z$/, '.000Z') &&
            row.pub_date < before.replace(/Z$/, '.000Z'),
        )
        .toSorted((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id))
        .map(({ id }) => id);
      const place = Math.max(matching.indexOf(long.id) - 2, 0);
      const path = `/posts/?search=${encodeURIComponent(search)}&${filter}&ordering=${ordering}&fields=id`;
      for (const [offset, limit] of [
        [0, 3],
        [place, 1_000],
        [9_999, 1_000],
      ] as const) {
        const page = await service.get(`${path}&limit=${limit}&offset=${offset}`, { Prefer: 'count=exact' });
        expect(page.json<PostJson[]>().map(({ id }) => id)).toEqual(matching.slice(offset, offset + limit));
        expect(page.headers['x-total-count']).toBe(String(matching.length));
        expect('prev' in page.links).toBe(offset > 0);
      }
    },
  );

  it.each<[ordering: string, search: string]>([
    ['-pub_date', 'ancient'],
    ['pub_date', 'even ancient'],
    ['title', 'ancient'],
    ['-id', 'anc'],
  ])('finds them in the order of the list: %s, %s', async (ordering, search) => {
    const field = ordering.replace('-', '') as 'id' | 'title' | 'pub_date';
    const sign = ordering.startsWith('-') ? -1 : 1;
    const matching = rows
      .filter(({ isEven }) => isEven || !search.includes('even'))
      .toSorted((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id - b.id))
      .map(({ id }) => id);
    const place = matching.indexOf(long.id);
    for (const start of [0, Math.max(place - 2, 0)]) {
      const target = `/posts/?search=${encodeURIComponent(search)}&ordering=${ordering}&fields=id&limit=5&offset=${start}`;
      const first = await service.get(target, { Prefer: 'count=exact' });
      const next = await service.get(first.links['next']!);
      const ids = [first, next].flatMap((page) => page.json<PostJson[]>().map(({ id }) => id));
      expect(ids).toEqual(matching.slice(start, start + 10));
      expect(first.headers['x-total-count']).toBe(String(matching.length));
    }
  });
});
