import { sqliteDialect } from '../../database/dialect.js';
import { pageConditions } from './list-queries.js';

describe('the conditions of a page', () => {
  it('compare only the ids of posts that share their title, because a database scans all that a title starts at', () => {
    const page = {
      filter: { title: 'Fog' },
      ordering: 'title',
      after: ['Fog', 7],
      rows: 20,
      shownRows: 20,
    } as const;
    const conditions = pageConditions(sqliteDialect, page);
    expect(conditions.map(({ name, values }) => [name, values])).toEqual([
      ['title', { title: 'Fog' }],
      ['after', { after_id: 7 }],
    ]);
  });
});
