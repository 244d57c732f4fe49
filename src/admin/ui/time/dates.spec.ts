import { exactText, momentText } from './dates.js';

describe('momentText and exactText', () => {
  it.each([
    ['2026-11-20T14:40:00.000Z', 'Europe/Vienna', '20 Nov 2026, 15:40 CET', '2026-11-20 15:40:00 CET'],
    [
      '2026-02-01T03:30:00.120Z',
      'America/New_York',
      '31 Jan 2026, 22:30 GMT-5',
      '2026-01-31 22:30:00.120 GMT-5',
    ],
    ['2026-11-20T14:40:07.123456Z', 'UTC', '20 Nov 2026, 14:40 UTC', '2026-11-20 14:40:07.123456 UTC'],
    ['0001-01-01T00:00:00.000Z', 'America/New_York', '1 Jan 1, 00:00 UTC', '0001-01-01 00:00:00 UTC'],
  ])('format %s in %s as %j and %j', (at, zone, short, exact) => {
    expect([momentText(at, zone), exactText(at, zone)]).toEqual([short, exact]);
  });
});
