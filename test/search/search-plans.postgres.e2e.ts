import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { PageStatements } from '../../src/posts/lists/page-queries.js';
import { isMatch, searchQueries } from '../../src/search/search-queries.js';
import { startService } from '../support/service.js';

const service = await startService();
const { reader, dialect } = service.app.get(Database);
const statements = new PageStatements(dialect);

describe('a page of a search', () => {
  // A subplan that does not fit into work_mem would be searched through for each post of the list.
  it.each([
    ['', undefined],
    [', some of them stored in parts', '[1, 2]'],
  ])('joins its matches, however many they are%s', async (_, inParts) => {
    const page = { filter: {}, ordering: '-pub_date', rows: 2, shownRows: 1, inIndexOrder: false } as const;
    const { query, values } = statements.page(page, isMatch(searchQueries(dialect), "'same'", inParts));
    const rows = await reader.all(sql<Record<'QUERY PLAN', string>>`EXPLAIN ${query}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Join');
    expect(plan).not.toContain('SubPlan');
  });
});
