import { monthsUpTo, ZonedMonths } from './zoned-months.js';

describe('the months of a time zone', () => {
  it.each([
    ['UTC', '2026-01-31T23:59:59.999999Z', '2026-01'],
    ['America/New_York', '2026-02-01T03:30:00.000000Z', '2026-01'],
    ['America/New_York', '2026-02-01T05:00:00.000000Z', '2026-02'],
    ['Europe/Vienna', '2025-12-31T22:59:59.999999Z', '2025-12'],
    ['Europe/Vienna', '2025-12-31T23:00:00.000000Z', '2026-01'],
    ['Europe/Vienna', '2026-01-15', '2026-01'],
    ['America/New_York', '0001-01-01T00:00:00.000000Z', '0001-01'],
    ['Asia/Tokyo', '9999-12-31T23:30:00.000000Z', '9999-12'],
    ['America/New_York', '9999-12-31T23:30:00.000000Z', '9999-12'],
  ])('have in %s %s in %s', (zone, stored, month) => {
    const months = new ZonedMonths(zone);
    expect(months.monthOf(stored)).toBe(month);
    expect(stored >= months.startOf(month) && stored < months.endOf(month)).toBe(true);
  });
});

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
