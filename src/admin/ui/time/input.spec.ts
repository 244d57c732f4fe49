import { fromInput, startOfDay, toInput } from './input.js';

const EXACT = '2026-11-20T14:40:07.123456Z';
const NEW_YORK = 'America/New_York';
const VIENNA = 'Europe/Vienna';

describe('a date in an input', () => {
  it.each([
    ['in the chosen time zone', EXACT, VIENNA, '2026-11-20T15:40:07'],
    ['in UTC before the year 1', '0001-01-01T00:00:00.000Z', NEW_YORK, '0001-01-01T00:00:00'],
    ['in UTC after the year 9999', '9999-12-31T23:30:00.000Z', VIENNA, '9999-12-31T23:30:00'],
    ['with seconds of an old offset', '0001-01-01T00:00:00.000Z', VIENNA, '0001-01-01T01:05:21'],
    ['as nothing when it is empty', '', VIENNA, ''],
  ])('is shown %s', (_, at, zone, text) => {
    expect(toInput(at, zone)).toBe(text);
  });

  it.each([VIENNA, NEW_YORK, 'UTC'])('keeps all digits of an unchanged original, in %s', (zone) => {
    expect(fromInput(toInput(EXACT, zone), zone, EXACT)).toBe(EXACT);
    // A browser omits zero seconds.
    const exact = '2026-11-20T14:40:00.000001Z';
    expect(fromInput(toInput(exact, zone).replace(/:00$/, ''), zone, exact)).toBe(exact);
  });

  it('stays at the second of two times that clocks show', () => {
    const second = '2026-10-25T01:30:00.000Z';
    expect(fromInput('2026-10-25T02:45', VIENNA, second)).toBe('2026-10-25T01:45:00.000Z');
    expect(fromInput('2026-10-25T02:50', VIENNA, '', '2026-10-25T01:45:00.000Z')).toBe(
      '2026-10-25T01:50:00.000Z',
    );
    expect(fromInput('2026-10-25T02:45', VIENNA, '')).toBe('2026-10-25T00:45:00.000Z');
  });

  it('has whole seconds once it is changed', () => {
    expect(fromInput('2026-11-20T15:40:08', 'UTC', EXACT)).toBe('2026-11-20T15:40:08.000Z');
    expect(fromInput('', VIENNA, EXACT)).toBe('');
  });
});

describe('startOfDay', () => {
  it.each([
    ['2026-01-31', NEW_YORK, 0, '2026-01-31T05:00:00.000Z'],
    ['2026-01-31', NEW_YORK, 1, '2026-02-01T05:00:00.000Z'],
    ['9999-12-31', 'UTC', 1, undefined],
    ['0001-01-01', VIENNA, 0, undefined],
    ['yesterday', 'UTC', 0, undefined],
    ['2026-02-30', 'UTC', 0, undefined],
  ])('for %j in %s, %i days later, is %j', (day, zone, daysLater, start) => {
    expect(startOfDay(day, zone, daysLater)).toBe(start);
  });
});
