import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { sql } from '../../database/sql.js';
import { writerOptions } from '../../database/data-source-options.js';
import { sqliteDialect } from '../../database/dialect.js';
import { migrate } from '../../database/open-database.js';
import { SqliteDataSource } from '../../database/sqlite/sqlite-data-source.js';
import type { Database } from '../../database/database.js';
import { Post } from '../post.entity.js';
import { ORDERINGS, sortKeyOf } from './post-ordering.js';
import { type ListedPost, PostPagesRepository } from './post-pages.repository.js';
import type { PostSearch } from './post-search.js';
import type { PageRequest } from './post-selection.js';

const folder = temporaryFolder();
const options = writerOptions({ kind: 'sqlite', path: join(folder, 'posts.sqlite') });
const dataSource = new SqliteDataSource({ ...options, entities: [Post] });
let queries: PostPagesRepository;

function aReader(): PostPagesRepository {
  return new PostPagesRepository(
    { reader: dataSource, dialect: sqliteDialect } as unknown as Database,
    undefined as unknown as PostSearch,
  );
}

const INSERT = sql`
  INSERT INTO posts (title, pub_date, body, modified)
  VALUES (${':title'}, ${':pubDate'}, ${':body'}, ${':modified'}) RETURNING id
`;
const stored: Post[] = [];

beforeAll(async () => {
  await dataSource.initialize();
  await migrate(dataSource);
  queries = aReader();
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
  const { query, values } = queries.page(page);
  return dataSource.sqlite.all(query, values);
}

/** SQLite's query plan, one step per row (https://sqlite.org/eqp.html). */
async function planOf({ query, values }: ReturnType<PostPagesRepository['page']>): Promise<string[]> {
  const rows: { detail: string }[] = await dataSource.query(
    `EXPLAIN QUERY PLAN ${query.text}`,
    query.bind(values),
  );
  return rows.map(({ detail }) => detail);
}

describe('PostPagesRepository.page', () => {
  it.each([
    [['id'], ['id', 'modified', 'version']],
    [['title'], ['id', 'modified', 'title', 'version']],
  ] as const)('reads for %j only these fields and those of the validators', async (fields, read) => {
    const [row] = await run(aPage({ fields }));
    expect(Object.keys(row!).toSorted()).toEqual(read);
  });

  it.each(ORDERINGS.flatMap((ordering) => [false, true].map((backwards) => [ordering, backwards] as const)))(
    'reads along an index from any position, without sorting: %s, backwards %s',
    async (ordering, backwards) => {
      const start = await planOf(queries.page(aPage({ ordering, backwards })));
      const after = sortKeyOf(stored[2]!, ordering);
      const onward = await planOf(queries.page(aPage({ ordering, backwards, after })));
      for (const plan of [start, onward]) expect(plan.join()).not.toContain('TEMP B-TREE');
      expect(onward.join()).toMatch(/SEARCH post USING (?:INDEX posts_by_|INTEGER PRIMARY KEY)/);
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
          for (const start of whole) {
            const key = sortKeyOf(start, ordering);
            const at = whole.indexOf(start);
            const behind = all.filter((post) => whole.findIndex(({ id }) => id === post.id) > at);
            const before = all.filter((post) => whole.findIndex(({ id }) => id === post.id) < at);
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
    const { query, values } = queries.page(aPage(page));
    expect((await planOf({ query, values })).join()).toContain(range);
    expect(Object.keys(values)).not.toContain('pub_date_after');
    expect(Object.keys(values)).not.toContain('pub_date_before');
  });

  it('reuses the query when only its values differ', () => {
    const one = queries.page(aPage({ filter: { id: [1], title: 'a' }, rows: 5, offset: 1, after: [1] }));
    const other = queries.page(
      aPage({ filter: { id: [1, 2, 3], title: 'b' }, rows: 7, offset: 9, after: [8] }),
    );
    expect(other.query.text).toBe(one.query.text);
    expect(other.values).toEqual({ id: '[1,2,3]', title: 'b', rows: 7, offset: 9, after_id: 8 });
  });

  it('returns null for large bodies on request', async () => {
    await dataSource.sqlite.all(INSERT, { title: 'z', pubDate: 'z', modified: '', body: 'é'.repeat(8_193) });
    await dataSource.sqlite.all(INSERT, { title: 'z', pubDate: 'z', modified: '', body: 'é'.repeat(8_192) });
    const rows = await run(aPage({ filter: { title: 'z' }, maxBodyBytes: 16_384 }));
    expect(rows.map(({ body }) => body?.length)).toEqual([undefined, 8_192]);
    expect(rows[0]!.body).toBeNull();
  });
});
