import { encodePageCursor } from '../../http/request/page-cursor.js';
import { ListPostsQuery } from '../dto/list-posts.query.js';
import { checkCursor, cursorScope, toSelection } from './list-request.js';

const aQuery = (parameters: Partial<ListPostsQuery> = {}): ListPostsQuery =>
  Object.assign(new ListPostsQuery(), parameters);

const check = (query: ListPostsQuery, found: Parameters<typeof checkCursor>[2] = []) =>
  checkCursor({ query }, '/posts/', found);

const cursorFor = (query: ListPostsQuery, key: (string | number)[] = ['2026-01-01T00:00:00.000000Z', 7]) =>
  encodePageCursor({ direction: 'next', key, scope: cursorScope(query) });

const DETAIL = 'It must come from a Link of a list with the same ordering and filters, unaltered.';

describe('toSelection', () => {
  it('has defaults for missing parameters', () => {
    expect(toSelection(aQuery())).toEqual({
      ordering: '-pub_date',
      filter: {},
      limit: 100,
      offset: 0,
      cursor: undefined,
      fields: undefined,
    });
  });

  it('converts dates to their stored form and ids to numbers', () => {
    const query = aQuery({
      pub_date_after: '2026-01-01T01:00+01:00',
      pub_date_before: '2027-01-01',
      title: ' a ',
      id: [7, 9007199254740991],
    });
    expect(toSelection(query).filter).toEqual({
      pub_date_after: '2026-01-01T00:00:00.000000Z',
      pub_date_before: '2027-01-01T00:00:00.000000Z',
      title: ' a ',
      id: [7, 9007199254740991],
    });
  });

  it('reads the cursor', () => {
    const query = aQuery({ ordering: 'title' });
    const cursor = cursorFor(query, ['a', 7]);
    expect(toSelection(aQuery({ ordering: 'title', cursor })).cursor).toEqual({
      direction: 'next',
      key: ['a', 7],
    });
  });
});

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
    ['is malformed', { cursor: 'x' }],
    ['belongs to another ordering', { cursor: cursorFor(aQuery()), ordering: 'pub_date' }],
    ['belongs to another filter', { cursor: cursorFor(aQuery()), title: 'a' }],
    ['has a key of another ordering and a valid digest', { cursor: cursorFor(aQuery(), [7]) }],
    ['has a key of another type and a valid digest', { cursor: cursorFor(aQuery(), ['a', 'b']) }],
  ])('refuses a cursor that %s', (_, parameters) => {
    expect(check(aQuery(parameters))).toEqual([{ detail: DETAIL, code: 'bad_cursor', parameter: 'cursor' }]);
  });

  it('refuses an offset together with a cursor', () => {
    const query = aQuery({ cursor: cursorFor(aQuery()), offset: 0 });
    expect(check(query)).toEqual([
      { detail: 'It cannot be combined with cursor.', code: 'mutually_exclusive', parameter: 'offset' },
    ]);
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
