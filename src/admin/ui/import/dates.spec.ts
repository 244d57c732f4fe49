import { type DateOrder, guessOrder, readDate } from './dates.js';

describe('readDate and guessOrder', () => {
  it.each<[string, DateOrder | undefined, string | undefined]>([
    ['02.01.2026 14:40', 'dmy', '2026-01-02T13:40:00Z'],
    ['1/2/2026', 'mdy', '2026-01-01T23:00:00Z'],
    ['1/2/2026', 'dmy', '2026-01-31T23:00:00Z'],
    ['1/2/2026', undefined, undefined],
    ['1/2/26 2:40 PM', 'mdy', '2026-01-02T13:40:00Z'],
    ['1/2/99, 12:05 a.m.', 'mdy', '1999-01-01T23:05:00Z'],
    ['31.12.2026 23.59.59', 'dmy', '2026-12-31T22:59:59Z'],
    ['2026-07-01', 'dmy', '2026-06-30T22:00:00Z'],
    ['2026/7/1 00:30', undefined, '2026-06-30T22:30:00Z'],
    ['2026-11-20T14:40:07.123456', 'ymd', '2026-11-20T13:40:07.123456Z'],
    ['2026-11-20 15:40:00.123456+01:00', 'ymd', '2026-11-20 15:40:00.123456+01:00'],
    [' 2026-11-20T14:40:00Z ', 'dmy', '2026-11-20T14:40:00Z'],
    ['2026-02-30', 'ymd', undefined],
    ['30/02/2026', 'dmy', undefined],
    ['13/13/2026', 'dmy', undefined],
    ['1/2/2026 25:00', 'dmy', undefined],
    ['1/2/2026 13:00 PM', 'dmy', undefined],
    ['1/2-2026', 'dmy', undefined],
    ['1/2/026', 'dmy', undefined],
    ['yesterday', 'dmy', undefined],
  ])('read %j with the order %s as %j', (cell, order, date) => {
    expect(readDate(cell, { order, zone: 'Europe/Vienna' })).toBe(date);
  });

  it.each<[readonly string[], DateOrder | undefined]>([
    [['2026-11-20', '2026-11-20T14:40:00Z', ''], 'ymd'],
    [[], 'ymd'],
    [['soon'], 'ymd'],
    [['02.01.2026 14:40'], 'dmy'],
    [['1/2/2026', '3/4/2026'], undefined],
    [['1/2/2026', '13/4/2026'], 'dmy'],
    [['1/2/2026', '4/13/2026', '2026-01-01'], 'mdy'],
    [['13/4/2026', '4/13/2026'], undefined],
  ])('guess for %j the order %s', (cells, order) => {
    expect(guessOrder(cells)).toBe(order);
  });
});
