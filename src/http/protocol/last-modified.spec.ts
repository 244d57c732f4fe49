import { formatHttpDate, LastModified, parseHttpDate } from './last-modified.js';

const EXAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37) / 1_000;

describe('parseHttpDate', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'reads the form %j',
    (text) => {
      expect(parseHttpDate(text)).toBe(EXAMPLE);
    },
  );

  it.each<[string, number]>([
    ['Friday, 18-Nov-49 00:00:00 GMT', 2049],
    ['Saturday, 18-Nov-50 00:00:00 GMT', 1950],
    ['Wednesday, 18-Nov-26 00:00:00 GMT', 2026],
  ])('reads the two-digit year of %j', (text, year) => {
    expect(parseHttpDate(text)).toBe(Date.UTC(year, 10, 18) / 1_000);
  });

  it.each<[string, string]>([
    ['Mon Nov 16 08:49:37 2026', '2026-11-16T08:49:37.000Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59.000Z'],
    ['Fri, 31 Dec 9999 23:59:59 GMT', '9999-12-31T23:59:59.000Z'],
    // The name of the day is not compared with the date.
    ['Mon, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
  ])('reads %j', (text, time) => {
    expect(parseHttpDate(text)).toBe(Date.parse(time) / 1_000);
  });

  it.each([
    '',
    'yesterday',
    '1994-11-06T08:49:37Z',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:49:60 GMT',
    'Wed, 30 Feb 1994 08:49:37 GMT',
    'Wed, 00 Feb 2023 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  ])('rejects %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

describe('formatHttpDate', () => {
  it('writes the preferred form', () => {
    expect(formatHttpDate(EXAMPLE)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
    expect(formatHttpDate(Date.UTC(2026, 10, 22) / 1_000)).toBe('Sun, 22 Nov 2026 00:00:00 GMT');
  });
});

const SECOND = Date.UTC(2026, 10, 20, 14, 40, 0);
const date = (seconds: number): string => new Date(SECOND + seconds * 1_000).toUTCString();

describe('LastModified', () => {
  it.each([
    ['the second of the change', 300, Infinity, 400, 0],
    ['the second of the change, also a minute later', 300, Infinity, 60_000, 0],
    ['the latest date that it may show', 300, -59_001, 400, -60],
    ['the second of the change when it may show more', 300, 9_000, 400, 0],
    ['the current time when the change is in the future', 300, Infinity, -5_000, -5],
  ])('shows %s', (_, changedMs, latestMs, nowMs, seconds) => {
    expect(new LastModified(SECOND + changedMs, SECOND + latestMs, SECOND + nowMs).field).toBe(date(seconds));
  });

  it('is known to a client that has the second of the change or a later one', () => {
    const lastModified = new LastModified(SECOND + 300);
    const known = (seconds: number): readonly unknown[] => [
      lastModified.isUnmodifiedSince(date(seconds)),
      lastModified.isNotModifiedSince(date(seconds), SECOND + 60_000),
    ];
    expect([known(-1), known(0), known(1)]).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
  });

  it('does not match a future date of If-Modified-Since', () => {
    const lastModified = new LastModified(SECOND);
    expect(lastModified.isNotModifiedSince(date(61), SECOND + 60_000)).toBe(false);
    expect(lastModified.isNotModifiedSince(date(60), SECOND + 60_000)).toBe(true);
  });

  it('ignores an invalid date', () => {
    const lastModified = new LastModified(SECOND);
    expect(lastModified.isUnmodifiedSince('yesterday')).toBeUndefined();
    expect(lastModified.isNotModifiedSince('yesterday')).toBe(false);
  });

  it('is outdated once a later date can be shown', () => {
    const now = Date.now();
    expect(new LastModified(now - 2_000, now - 3_000).isOutdated).toBe(true);
    expect(new LastModified(now - 2_000, now).isOutdated).toBe(false);
    expect(new LastModified(now + 1_000, now).isOutdated).toBe(false);
  });
});
