import { LastModified } from './last-modified.js';

const SECOND = Date.UTC(2026, 10, 20, 14, 40, 0);
const date = (seconds: number): string => new Date(SECOND + seconds * 1_000).toUTCString();
const alone = { atMs: SECOND + 300, sharesSecond: false };
const shared = { atMs: SECOND + 300, sharesSecond: true };

describe('LastModified', () => {
  it.each<[string, typeof alone, number, number]>([
    ['the second of the change', alone, 400, 0],
    ['the second of the change, later too', alone, 60_000, 0],
    ['the second of two changes', shared, 400, 0],
    ['the second of two changes, until clocks and readers have passed it', shared, 2_999, 0],
    ['the next second, once the two changes are long over', shared, 3_000, 1],
    ['the present, when the change is in the future', alone, -5_000, -5],
  ])('shows %s', (_, change, nowMs, seconds) => {
    expect(new LastModified(change, SECOND + nowMs).field).toBe(date(seconds));
  });

  it('shows no later time than that from which on changes may be unseen', () => {
    expect(new LastModified({ ...alone, unseenSinceMs: SECOND - 59_001 }, SECOND + 999).field).toBe(
      date(-60),
    );
    expect(new LastModified({ ...alone, unseenSinceMs: SECOND + 9_000 }, SECOND + 999).field).toBe(date(0));
  });

  it('takes a date for proof of the present state when it names no other', () => {
    const known = (change: typeof alone, seconds: number): readonly unknown[] => {
      const lastModified = new LastModified(change, SECOND + 60_000);
      return [
        lastModified.isUnmodifiedSince(date(seconds)),
        lastModified.isNotModifiedSince(date(seconds), SECOND + 60_000),
      ];
    };
    expect([known(alone, -1), known(alone, 0), known(alone, 1)]).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
    expect([known(shared, 0), known(shared, 1)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('takes no date of the future for proof that a client has the present state', () => {
    const lastModified = new LastModified(alone, SECOND + 60_000);
    expect(lastModified.isNotModifiedSince(date(61), SECOND + 60_000)).toBe(false);
    expect(lastModified.isNotModifiedSince(date(60), SECOND + 60_000)).toBe(true);
  });

  it('ignores an invalid date', () => {
    const lastModified = new LastModified(alone, SECOND + 60_000);
    expect(lastModified.isUnmodifiedSince('yesterday')).toBeUndefined();
    expect(lastModified.isNotModifiedSince('yesterday')).toBe(false);
  });

  it('is outdated once a later date can be shown', () => {
    const now = Date.now();
    const second = now - (now % 1_000);
    const change = { atMs: second - 5_000, sharesSecond: true };
    expect(new LastModified(change, second - 4_500).isOutdated).toBe(true);
    expect(new LastModified(change, now).isOutdated).toBe(false);
    expect(new LastModified({ atMs: now, sharesSecond: true }, now).isOutdated).toBe(false);
  });
});
