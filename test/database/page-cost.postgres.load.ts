import { randomBytes } from 'node:crypto';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { PageStatements } from '../../src/posts/lists/page-queries.js';
import type { PageRequest } from '../../src/posts/lists/post-selection.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
const { reader, dialect } = service.app.get(Database);
const statements = new PageStatements(dialect);

const POSTS = 60;
/** PostgreSQL cannot compress it, and stores it in 11 pages of its own. */
const aLongBody = (): string => randomBytes(60_000).toString('base64');
const lines = Array.from({ length: POSTS }, () =>
  JSON.stringify(aPost({ title: 'same', body: aLongBody() })),
);
expect((await service.import(lines.join('\n'))).status).toBe(201);

interface Explained {
  readonly 'QUERY PLAN': readonly {
    readonly Plan: Readonly<
      Record<'Shared Hit Blocks' | 'Shared Read Blocks' | 'Temp Written Blocks', number>
    >;
  }[];
}

describe('a page', () => {
  it.each<[string, Partial<PageRequest>]>([
    ['behind an offset', { offset: POSTS - 2 }],
    ['behind an offset, in the order of titles', { offset: POSTS - 2, ordering: 'title' }],
    ['of a filter, in an order for which there is no index', { filter: { title: 'same' } }],
  ])('reads the bodies that it shows, not those that it skips or sorts: %s', async (_, selection) => {
    const page: PageRequest = { filter: {}, ordering: '-pub_date', rows: 2, shownRows: 1, ...selection };
    const { query, values } = statements.page(page);
    const explain = sql<Explained>`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`;
    const [row] = await reader.all(explain, values);
    const { Plan: plan } = row!['QUERY PLAN'][0]!;
    // All bodies are more than 600 pages.
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(300);
    expect(plan['Temp Written Blocks']).toBe(0);
  });
});
