import { formatHttpDate, parseHttpDate } from './http-date.js';

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37) / 1_000;

describe('parseHttpDate', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the form %j',
    (text) => {
      expect(parseHttpDate(text)).toBe(EXAMPLE);
    },
  );

  it.each<[string, number]>([
    ['Wednesday, 18-Nov-76 00:00:00 GMT', 2076],
    ['Thursday, 18-Nov-77 00:00:00 GMT', 1977],
    ['Thursday, 18-Nov-99 00:00:00 GMT', 1999],
    ['Thursday, 18-Nov-26 00:00:00 GMT', 2026],
  ])('takes the year of %j for one that is not more than 50 years ahead', (text, year) => {
    const now = Date.UTC(2026, 10, 22) / 1_000;
    expect(parseHttpDate(text, now)).toBe(Date.UTC(year, 10, 18) / 1_000);
  });

  it.each<[string, string]>([
    ['Mon Nov 16 08:49:37 2026', '2026-11-16T08:49:37.000Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59.000Z'],
    ['Mon, 01 Jan 0099 00:00:00 GMT', '0099-01-01T00:00:00.000Z'],
    // The name of the day is not compared with the date.
    ['Mon, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ])('reads %j', (text, time) => {
    expect(parseHttpDate(text)).toBe(Date.parse(time) / 1_000);
  });

  it.each([
    '',
    '0',
    'yesterday',
    '1994-11-06T08:49:37Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 nov 1994 08:49:37 GMT',
    'sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Wed, 30 Feb 1994 08:49:37 GMT',
    'Wed, 29 Feb 2023 08:49:37 GMT',
    'Wed, 00 Feb 2023 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov 06 08:49:37 94',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    ' Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('does not take %j for a date', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

describe('formatHttpDate', () => {
  it('writes the preferred form', () => {
    expect(formatHttpDate(EXAMPLE)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(formatHttpDate(Date.UTC(2026, 10, 22) / 1_000)).toBe('Sun, 22 Nov 2026 00:00:00 GMT');
  });
});
