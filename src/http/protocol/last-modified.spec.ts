import { jest } from '@jest/globals';
import {
  isModifiedSince,
  isNotModifiedSince,
  lastModifiedUpTo,
  parseHttpDate,
  showLastModified,
} from './last-modified.js';

describe('parseHttpDate', () => {
  it.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z'],
    ['Friday, 18-Nov-49 00:00:00 GMT', '2049-11-18T00:00:00Z'],
    ['Saturday, 18-Nov-50 00:00:00 GMT', '1950-11-18T00:00:00Z'],
    ['Thu, 29 Feb 2024 23:59:59 GMT', '2024-02-29T23:59:59Z'],
  ])('reads %j', (text, time) => {
    expect(parseHttpDate(text)).toBe(Date.parse(time));
  });

  it.each([
    '',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:49:60 GMT',
    'Wed, 30 Feb 1994 08:49:37 GMT',
  ])('rejects %j', (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

const SECOND = Date.UTC(2026, 10, 20, 14, 40, 0);
const date = (seconds: number): string => new Date(SECOND + seconds * 1_000).toUTCString();

describe('Last-Modified', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['the second of the change', 300, Infinity, 2_300, 0, Infinity],
    ['two seconds before now', 300, Infinity, 1_999, -1, 2_000],
    ['the second of the change, which may not be over', 300, Infinity, 2_299, 0, 3_000],
    ['two seconds before now when the change is in the future', 300, Infinity, -5_000, -7, -4_000],
    ['the latest date that it may show', 300, -59_001, 60_000, -60, Infinity],
    ['the second of the change when it may show more', 300, 9_000, 60_000, 0, Infinity],
  ])('shows %s', (_, changedMs, latestMs, nowMs, seconds, untilMs) => {
    jest.spyOn(Date, 'now').mockReturnValue(SECOND + nowMs);
    const lastModified = lastModifiedUpTo(SECOND + latestMs, new Date(SECOND + changedMs).toISOString());
    expect(showLastModified(lastModified)).toEqual({ field: date(seconds), untilMs: SECOND + untilMs });
  });

  it.each([
    ['an earlier second', date(-1), true, false],
    ['the second of the change', date(0), false, true],
    ['the latest second that was shown', date(58), false, true],
    ['a later second', date(59), false, false],
    ['no date', 'yesterday', false, false],
  ])('is known to a client that has %s: %s', (_, field, isModified, isNotModified) => {
    jest.spyOn(Date, 'now').mockReturnValue(SECOND + 60_000);
    const lastModified = { changedAt: '2026-11-20T14:40:00.300000Z' };
    expect(isModifiedSince(lastModified, field)).toBe(isModified);
    expect(isNotModifiedSince(lastModified, field)).toBe(isNotModified);
  });
});
