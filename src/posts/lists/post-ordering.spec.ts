import { isSortKey, ORDERINGS, sortKeyOf, type SortKeyValues } from './post-ordering.js';

const post = { id: 7, title: 'a', pubDate: '2026-01-01T00:00:00.000000Z' };

describe('sortKeyOf', () => {
  it.each([
    ['pub_date', ['2026-01-01T00:00:00.000000Z', 7]],
    ['-pub_date', ['2026-01-01T00:00:00.000000Z', 7]],
    ['id', [7]],
    ['-id', [7]],
    ['title', ['a', 7]],
    ['-title', ['a', 7]],
  ] as const)('for the ordering %s ends with the id', (ordering, key) => {
    expect(sortKeyOf(post, ordering)).toEqual(key);
    expect(isSortKey(sortKeyOf(post, ordering), ordering)).toBe(true);
  });
});

describe('isSortKey', () => {
  it.each(ORDERINGS)('accepts an empty key as the end of a list ordered by %s', (ordering) => {
    expect(isSortKey([], ordering)).toBe(true);
  });

  it.each<[SortKeyValues, 'id' | 'title']>([
    [['7'], 'id'],
    [[7], 'title'],
    [['a', '7'], 'title'],
    [[7, 7], 'title'],
    [['a', 7, 7], 'title'],
    [['a\0', 7], 'title'],
    [['\uD800', 7], 'title'],
  ])('rejects %j as a key of %s', (values, ordering) => {
    expect(isSortKey(values, ordering)).toBe(false);
  });
});
