import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../database/index.js';
import { sqliteDialect } from '../../database/dialect.js';
import { PageReads } from './page-reads.repository.js';
import { PageStatements } from './page-queries.js';

interface AskedPage {
  readonly title: string;
}
/** The values of a statement: those of one page, or of several as JSON. */
type AskedPages = Partial<AskedPage> & { readonly pages?: string };

/** Takes down which titles are asked for together. */
function setUp() {
  const batches: string[][] = [];
  const all = async (_: unknown, { pages, title }: AskedPages): Promise<unknown[]> => {
    const asked = pages === undefined ? [{ title: title! }] : (JSON.parse(pages) as AskedPage[]);
    batches.push(asked.map((page) => page.title));
    await nextTurn();
    return asked.map((_page, place) => ({ place, page: '[]\n', next: null }));
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
