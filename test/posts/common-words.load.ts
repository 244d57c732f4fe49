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
