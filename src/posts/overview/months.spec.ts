import { monthsUpTo } from './months.js';

describe('monthsUpTo', () => {
  it.each([
    ['2026-11', 3, ['2026-09', '2026-10', '2026-11']],
    ['2026-01', 3, ['2025-11', '2025-12', '2026-01']],
    ['9999-12', 1, ['9999-12']],
    ['0001-02', 12, ['0001-01', '0001-02']],
  ])('gives for %s and %i %j', (last, count, months) => {
    expect(monthsUpTo(last, count)).toEqual(months);
  });
});
