import { instantOf, wallClockAt } from './clocks.js';

const at = (text: string): number => Date.parse(`${text}Z`);
const text = (ms: number): string => new Date(ms).toISOString().replace('.000Z', '');

describe('the clocks of a time zone', () => {
  it.each([
    ['UTC', '2026-01-31T22:30:00', '2026-01-31T22:30:00'],
    ['America/New_York', '2026-02-01T03:30:00', '2026-01-31T22:30:00'],
    ['Europe/Vienna', '2026-07-01T22:30:07', '2026-07-02T00:30:07'],
    ['Europe/Vienna', '0099-06-01T12:00:00', '0099-06-01T13:05:21'],
    ['America/New_York', '0001-01-01T00:00:00', '0000-12-31T19:03:58'],
  ])('in %s at %s UTC show %s', (zone, instant, wall) => {
    expect(text(wallClockAt(zone, at(instant)))).toBe(wall);
    expect(text(instantOf(zone, at(wall)))).toBe(instant);
  });

  it('repeat a time when they go back, and skip one when they go forward', () => {
    expect(text(instantOf('Europe/Vienna', at('2026-10-25T02:30:00')))).toBe('2026-10-25T00:30:00');
    const second = at('2026-10-25T01:30:00');
    expect(text(instantOf('Europe/Vienna', at('2026-10-25T02:45:00'), second))).toBe('2026-10-25T01:45:00');
    expect(text(instantOf('Europe/Vienna', at('2026-10-25T02:59:00'), second))).toBe('2026-10-25T01:59:00');
    const before = at('2026-10-24T12:00:00');
    expect(text(instantOf('Europe/Vienna', at('2026-10-25T02:45:00'), before))).toBe('2026-10-25T00:45:00');
    expect(text(instantOf('Europe/Vienna', at('2026-03-29T02:30:00')))).toBe('2026-03-29T01:30:00');
    // Clocks that go forward at midnight: the day begins at one.
    expect(text(instantOf('Asia/Beirut', at('2026-03-29T00:00:00')))).toBe('2026-03-28T22:00:00');
  });

  it('keep fractions of a second, even before 1970', () => {
    expect(wallClockAt('Europe/Vienna', -1.5)).toBe(3_600_000 - 1.5);
  });
});
