import { ChangeFollower } from './change-follower.js';
import type { ChangedPost } from './latest-changes.repository.js';

const CLIENT = { name: 'one' };
const changeAt = (at: string, id = 7): ChangedPost => ({ at, id, version: 1, post: undefined });
const taken = (follower: ChangeFollower) => {
  const all = [];
  for (let next = follower.take(); next; next = follower.take()) all.push([next.change.at, next.position]);
  return all;
};

describe('ChangeFollower', () => {
  it('gets no changes from before its beginning', () => {
    const follower = new ChangeFollower(CLIENT, '5', '3');
    follower.missedAfter = undefined;
    follower.add([changeAt('2'), changeAt('3'), changeAt('4')], '9');
    expect(taken(follower).map(([at]) => at)).toEqual(['3', '4']);
  });

  it('has a position before which it has everything: that of a change, the horizon, or of what it has missed', () => {
    const follower = new ChangeFollower(CLIENT, '5');
    follower.add([changeAt('6')], '9');
    follower.add([changeAt('8')], '7');
    follower.missedAfter = { at: '4', id: 0 };
    follower.add([changeAt('9')], '9');
    expect(taken(follower)).toEqual([
      ['6', '6'],
      ['8', '7'],
      ['9', '4'],
    ]);
  });

  it('forgets what waits when it is too much, and has missed it', () => {
    const follower = new ChangeFollower(CLIENT, '5');
    follower.add(
      Array.from({ length: 200 }, () => changeAt('6')),
      '9',
    );
    expect([follower.isSlow, follower.missedAfter]).toEqual([true, undefined]);
    follower.add([changeAt('7')], '9');
    expect([follower.missedAfter, follower.take()]).toEqual([{ at: '5', id: 0 }, undefined]);
  });

  it('is woken by changes and by its end', async () => {
    const follower = new ChangeFollower(CLIENT, '5');
    const waits = follower.wait(60_000);
    follower.add([changeAt('6')], '9');
    expect(await waits).toBe(true);
    const waitsAgain = follower.wait(60_000);
    follower.end();
    expect([await waitsAgain, follower.isEnded]).toEqual([true, true]);
    expect(await new ChangeFollower(CLIENT, '5').wait(1)).toBe(false);
  });
});
