import { isSortKey, ORDERINGS, sortKey, type SortKeyValues } from './post-ordering.js';

const post = { id: 7, title: 'a', pubDate: '2026-01-01T00:00:00.000000Z', modified: '' };

describe('isSortKey', () => {
  it.each(ORDERINGS)('accepts the key of a post, by %s', (ordering) => {
    const key = sortKey(ordering).map((property) => post[property]);
    expect(isSortKey(key, ordering)).toBe(true);
  });

  // A client can make a cursor with any key.
  it.each<[SortKeyValues, 'id' | 'title']>([
    [['7'], 'id'],
    [[7], 'title'],
    [['a', '7'], 'title'],
    [[7, 7], 'title'],
    [['a', 7, 7], 'title'],
    [['a\0', 7], 'title'],
    [['\uD800', 7], 'title'],
  ])('refuses %j as a key of %s', (values, ordering) => {
    expect(isSortKey(values, ordering)).toBe(false);
  });
});
