import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../database/index.js';
import { sqliteDialect } from '../../database/dialect.js';
import { PageReads } from './page-reads.repository.js';
import type { ListedPosts } from './listed-post.js';
import { PageStatements } from './page-queries.js';
import type { PageRequest } from './post-selection.js';

type Ordering = PageRequest['ordering'];

interface AskedPage {
  readonly title: string;
}
/** The values of a statement: those of one page, or of several as JSON. */
type AskedPages = Partial<AskedPage> & { readonly pages?: string };

/** Takes down which titles are asked for together. A page has its title as its only item. */
function setUp() {
  const batches: string[][] = [];
  const all = async (_: unknown, { pages, title }: AskedPages): Promise<unknown[]> => {
    const asked = pages === undefined ? [{ title: title! }] : (JSON.parse(pages) as AskedPage[]);
    batches.push(asked.map((page) => page.title));
    await nextTurn();
    return asked.map((page, place) => ({ place, page: `[]\n${page.title}`, next: null }));
  };
  const database = { reader: { all } } as unknown as Database;
  const reads = new PageReads(database, new PageStatements(sqliteDialect));
  const find = (name: string, ordering: Ordering = '-pub_date'): Promise<ListedPosts> =>
    reads.find({ filter: { title: name }, ordering, rows: 100 }, { name });
  return { batches, find };
}

describe('PageReads', () => {
  it('lets clients take turns, so that large pages of one client delay the others by few of them', async () => {
    const { batches, find } = setUp();
    await Promise.all([...Array.from({ length: 20 }, () => find('many')), find('few')]);
    expect(batches[0]).toEqual(['many', 'few']);
    expect(batches.flat()).toHaveLength(21);
  });

  it('gives each page its own posts when those of two statements are read together', async () => {
    const { find } = setUp();
    const names = Array.from({ length: 20 }, (_, place) => `page ${place}`);
    const pages = await Promise.all(names.map((name, place) => find(name, place % 2 === 0 ? 'id' : '-id')));
    expect(pages.map(({ items }) => items)).toEqual(names);
  });
});
