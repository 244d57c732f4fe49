import { encodePageCursor } from '../../http/request/page-cursor.js';
import { ListPostsQuery } from '../dto/list-posts.query.js';
import { checkCursor, cursorScope } from './list-request.js';

const aQuery = (parameters: Partial<ListPostsQuery> = {}): ListPostsQuery =>
  Object.assign(new ListPostsQuery(), parameters);

const check = (query: ListPostsQuery, found: Parameters<typeof checkCursor>[2] = []) =>
  checkCursor({ query }, '/posts/', found);

const cursorFor = (query: ListPostsQuery, key: (string | number)[] = ['2026-01-01T00:00:00.000000Z', 7]) =>
  encodePageCursor({ direction: 'next', key, scope: cursorScope(query) });

const DETAIL = 'It must come from a Link of a list with the same ordering and filters, unaltered.';

describe('cursorScope', () => {
  const scopes = [
    aQuery(),
    aQuery({ ordering: 'pub_date' }),
    aQuery({ title: 'a' }),
    aQuery({ title: '["a"]' }),
    aQuery({ id: [1] }),
    aQuery({ id: [1, 2] }),
    aQuery({ id: [2, 1] }),
    aQuery({ pub_date_after: '2026-01-01' }),
    aQuery({ pub_date_before: '2026-01-01' }),
    aQuery({ search: 'a' }),
  ].map(cursorScope);

  it('differs for different lists', () => {
    expect(new Set(scopes).size).toBe(scopes.length);
  });

  it('is the same for equal lists', () => {
    expect(cursorScope(aQuery({ ordering: '-pub_date', limit: 5, fields: ['id'], offset: 3 }))).toBe(
      scopes[0],
    );
    expect(cursorScope(aQuery({ pub_date_after: '2026-01-01T00:00:00.000Z' }))).toBe(scopes[7]);
  });
});

describe('checkCursor', () => {
  it('accepts a query without a cursor, and a cursor of the same list', () => {
    expect(check(aQuery({ offset: 5 }))).toEqual([]);
    expect(check(aQuery({ cursor: cursorFor(aQuery()) }))).toEqual([]);
  });

  it.each<[string, Partial<ListPostsQuery>]>([
    ['has a key of another ordering and a valid digest', { cursor: cursorFor(aQuery(), [7]) }],
    ['has a key of another type and a valid digest', { cursor: cursorFor(aQuery(), ['a', 'b']) }],
  ])('refuses a cursor that %s', (_, parameters) => {
    expect(check(aQuery(parameters))).toEqual([{ detail: DETAIL, code: 'bad_cursor', parameter: 'cursor' }]);
  });

  it('reports no second fault for an invalid offset', () => {
    const query = aQuery({ cursor: cursorFor(aQuery()), offset: 'x' as unknown as number });
    expect(check(query, [{ detail: 'x', code: 'blank', parameter: 'offset' }])).toEqual([]);
  });

  it('reports no fault of the cursor when another parameter is invalid', () => {
    const query = aQuery({ cursor: cursorFor(aQuery()), title: ' ' });
    expect(check(query, [{ detail: 'x', code: 'blank', parameter: 'title' }])).toEqual([]);
  });
});
