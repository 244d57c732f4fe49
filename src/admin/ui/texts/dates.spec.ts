import { startOfDay } from './dates.js';

describe('startOfDay', () => {
  it.each([
    ['2026-11-20', 0, new Date(2026, 10, 20)],
    ['2026-12-31', 1, new Date(2027, 0, 1)],
    ['2026-03-29', 1, new Date(2026, 2, 30)],
  ])('is midnight of %s, %d days later', (day, daysLater, midnight) => {
    expect(startOfDay(day, daysLater)).toBe(midnight.toISOString());
  });

  it('knows the first century', () => {
    expect(new Date(startOfDay('0099-05-06')!).getFullYear()).toBe(99);
  });

  it.each(['', 'yesterday', '2026'])('is none for %j', (day) => {
    expect(startOfDay(day)).toBeUndefined();
  });
});
