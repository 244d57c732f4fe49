import { jest } from '@jest/globals';
import { exactUtc, fromInput, localZone, toInput } from './local-date-time.js';
import { titleLength } from './title-length.js';

const EXACT = '2026-11-20T14:40:07.123456Z';

function inZone(timeZone: string): void {
  const options = { ...new Intl.DateTimeFormat('en-GB').resolvedOptions(), timeZone };
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options);
}

afterEach(() => jest.restoreAllMocks());

describe('a pub_date in an input', () => {
  // In which zone this runs, the machine says; the browser's tests have one of their own.
  it('is shown in the zone that was chosen', () => {
    expect(toInput(EXACT, 'utc')).toBe('2026-11-20T14:40:07');
    expect(new Date(toInput(EXACT, 'local')).toISOString()).toBe('2026-11-20T14:40:07.000Z');
    expect(toInput('0099-06-01T12:00:00.000Z', 'local')).toMatch(/^0099-06-01T\d\d:\d\d:\d\d$/);
    expect(toInput('', 'local')).toBe('');
  });

  it.each(['local', 'utc'] as const)('keeps every digit while it shows the original, in %s', (zone) => {
    expect(fromInput(toInput(EXACT, zone), zone, EXACT)).toBe(EXACT);
  });

  it('keeps every digit where the browser leaves out that there are no seconds', () => {
    const exact = '2026-11-20T14:40:00.000001Z';
    expect(fromInput('2026-11-20T14:40', 'utc', exact)).toBe(exact);
  });

  it('is a full second once it was changed', () => {
    expect(fromInput('2026-11-20T15:40:08', 'utc', EXACT)).toBe('2026-11-20T15:40:08.000Z');
    expect(fromInput('2026-11-20T15:40', 'utc', '')).toBe('2026-11-20T15:40:00.000Z');
    const local = toInput('2026-11-20T01:00:00.000Z', 'local');
    expect(fromInput(local, 'local', EXACT)).toBe('2026-11-20T01:00:00.000Z');
    expect(fromInput(local.slice(0, 16), 'local', '')).toBe('2026-11-20T01:00:00.000Z');
    expect(fromInput('', 'local', EXACT)).toBe('');
  });

  it.each([
    [0, '+00:00'],
    [-60, '+01:00'],
    [210, '−03:30'],
  ])('says which zone that is, %i minutes from UTC', (minutes, offset) => {
    inZone('Europe/Lisbon');
    jest.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutes);
    expect(localZone(EXACT)).toBe(`Europe/Lisbon, UTC${offset}`);
  });

  it('says it once when the zone is UTC', () => {
    inZone('UTC');
    expect(localZone(EXACT)).toBe('UTC');
  });

  it('is written out in UTC with all of its digits', () => {
    expect(exactUtc(EXACT)).toBe('2026-11-20 14:40:07.123456');
    expect(exactUtc('2026-11-20T14:40:00.000Z')).toBe('2026-11-20 14:40:00');
    expect(exactUtc('2026-11-20T14:40:00.120Z')).toBe('2026-11-20 14:40:00.120');
  });
});

describe('titleLength', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['😀'.repeat(200), 200],
    ['e\u0301', 2],
    ['\ud83d', 1],
  ])('counts code points in %j', (title, length) => {
    expect(titleLength(title)).toBe(length);
  });
});
