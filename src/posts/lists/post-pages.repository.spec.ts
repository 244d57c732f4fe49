import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { writerOptions } from '../../database/data-source-options.js';
import { sqliteDialect } from '../../database/dialect.js';
import { migrate } from '../../database/open-database.js';
import { sql } from '../../database/sql.js';
import { SqliteDataSource } from '../../database/sqlite/sqlite-data-source.js';
import type { Database } from '../../database/database.js';
import { Post } from '../post.entity.js';
import { pageQuery } from './list-queries.js';
import { type Ordering, ORDERINGS, sortKey, type SortKeyValues } from './post-ordering.js';
import { keyOf, type ListedPost } from './listed-post.js';
import { PostPagesRepository } from './post-pages.repository.js';
import type { PageRequest } from './post-selection.js';

const folder = temporaryFolder();
const options = writerOptions({ kind: 'sqlite', path: join(folder, 'posts.sqlite') });
const dataSource = new SqliteDataSource({ ...options, entities: [Post] });
let pages: PostPagesRepository;

const INSERT = sql`
  INSERT INTO posts (title, pub_date, body, modified)
  VALUES (${':title'}, ${':pubDate'}, ${':body'}, ${':modified'}) RETURNING id
`;
const stored: Post[] = [];

beforeAll(async () => {
  await dataSource.initialize();
  await migrate(dataSource);
  const database = { reader: dataSource.sqlite, dialect: sqliteDialect } as unknown as Database;
  pages = new PostPagesRepository(database);
  for (const [title, day] of ['b2', 'a1', 'a2', 'c1']) {
    const post = {
      title: title!,
      pubDate: `2026-01-0${day}T00:00:00.000000Z`,
      body: 'text',
      modified: `2026-02-0${day}T00:00:00.000000Z`,
    };
    const [row] = await dataSource.sqlite.all<{ id: number }>(INSERT, post);
    stored.push({ ...post, id: row!.id, version: 1 });
  }
});
afterAll(() => dataSource.destroy());

const aPage = (overrides: Partial<PageRequest> = {}): PageRequest => ({
  filter: {},
  ordering: 'id',
  rows: 10,
  ...overrides,
});

async function run(page: PageRequest): Promise<ListedPost[]> {
  return (await pages.find(page)).posts;
}

const queryOf = (page: PageRequest) => pageQuery(sqliteDialect, page, 1_000);

const keyIn = (post: Post, ordering: Ordering): SortKeyValues =>
  sortKey(ordering).map((property) => post[property]);

/** SQLite's query plan, one step per row (https://sqlite.org/eqp.html). */
async function planOf({ query, values }: ReturnType<typeof pageQuery>): Promise<string> {
  const rows: { detail: string }[] = await dataSource.query(
    `EXPLAIN QUERY PLAN ${query.text}`,
    query.bind(values),
  );
  return rows.map(({ detail }) => detail).join();
}

describe('PostPagesRepository', () => {
  it.each(ORDERINGS.flatMap((ordering) => [false, true].map((backwards) => [ordering, backwards] as const)))(
    'reads along an index from any position, without sorting: %s, backwards %s',
    async (ordering, backwards) => {
      const start = await planOf(queryOf(aPage({ ordering, backwards })));
      const after = keyIn(stored[2]!, ordering);
      const onward = await planOf(queryOf(aPage({ ordering, backwards, after })));
      for (const plan of [start, onward]) expect(plan).not.toContain('TEMP B-TREE');
      expect(onward).toMatch(/SEARCH post USING (?:INDEX posts_by_|INTEGER PRIMARY KEY)/);
    },
  );

  it.each(ORDERINGS)(
    'returns the same posts from any position on, with any filter: by %s',
    async (ordering) => {
      const dates = ['2026-01-01T00:00:00.000000Z', '2026-01-01T12', '2026-01-02T00:00:00.000000Z'];
      const filters = [
        ...dates.flatMap((date) => [{ pub_date_after: date }, { pub_date_before: date }]),
        { title: 'a' },
        { title: 'a', pub_date_after: dates[1] },
      ];
      for (const backwards of [false, true]) {
        for (const filter of filters) {
          const all = await run(aPage({ ordering, backwards, filter }));
          // A cursor comes from the same list, so a list of one title has no key of another one.
          const { title } = filter as { title?: string };
          const whole = await run(aPage({ ordering, backwards, filter: { title } }));
          for (const [at, start] of whole.entries()) {
            const key = keyOf(start).sortKey;
            const behind = all.filter((post) => whole.findIndex((each) => each.key === post.key) > at);
            const before = all.filter((post) => whole.findIndex((each) => each.key === post.key) < at);
            expect(await run(aPage({ ordering, backwards, filter, after: key }))).toEqual(behind);
            expect(await run(aPage({ ordering, backwards, filter, until: key }))).toEqual(before);
          }
        }
      }
    },
  );

  it.each([
    [{ ordering: 'pub_date', filter: { pub_date_after: '2026' }, after: ['2027', 1] }, 'pub_date>?'],
    [{ ordering: '-pub_date', filter: { pub_date_before: '2027' }, after: ['2026', 1] }, 'pub_date<?'],
    [{ ordering: 'title', filter: { title: 'a' }, after: ['a', 1] }, 'title=? AND id>?'],
    [{ filter: { id: [1, 3] } }, 'USING INTEGER PRIMARY KEY (rowid=?)'],
    [{ filter: { title: 'a' } }, 'USING INDEX posts_by_title'],
  ] as const)('searches the index, from the key where there are two bounds: %j', async (page, range) => {
    const { query, values } = queryOf(aPage(page));
    expect(await planOf({ query, values })).toContain(range);
    expect(Object.keys(values)).not.toContain('pub_date_after');
    expect(Object.keys(values)).not.toContain('pub_date_before');
  });

  it('uses the same statement when only its values differ', () => {
    const one = queryOf(aPage({ filter: { id: [1], title: 'a' }, rows: 5, offset: 1, after: [1] }));
    const other = queryOf(
      aPage({ filter: { id: [1, 2, 3], title: 'b' }, rows: 7, offset: 9, after: [8], fields: undefined }),
    );
    expect(other.query.text).toBe(one.query.text);
    const values = { id: '[1,2,3]', title: 'b', rows: 7, offset: 9, after_id: 8, maxBodyBytes: 1_000 };
    expect(other.values).toEqual(values);
  });
});
