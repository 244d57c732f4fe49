import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../database/index.js';
import { sqliteDialect } from '../../database/dialect.js';
import { PageReads } from './page-reads.repository.js';
import { PageStatements } from './page-queries.js';

/** Takes down which titles are asked for together. */
function setUp() {
  const batches: string[][] = [];
  const all = async (_: unknown, { pages }: { readonly pages: string }): Promise<[]> => {
    batches.push((JSON.parse(pages) as { readonly title: string }[]).map(({ title }) => title));
    await nextTurn();
    return [];
  };
  const database = { reader: { all } } as unknown as Database;
  const reads = new PageReads(database, new PageStatements(sqliteDialect));
  const find = (name: string): Promise<unknown> =>
    reads.find({ filter: { title: name }, ordering: '-pub_date', rows: 100 }, { name });
  return { batches, find };
}

describe('PageReads', () => {
  it('lets clients take turns, so that large pages of one client delay the others by few of them', async () => {
    const { batches, find } = setUp();
    await Promise.all([...Array.from({ length: 20 }, () => find('many')), find('few')]);
    expect(batches[0]).toEqual(['many', 'few']);
    expect(batches.flat()).toHaveLength(21);
  });
});
