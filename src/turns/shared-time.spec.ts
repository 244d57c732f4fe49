import { setImmediate } from 'node:timers/promises';
import { workFor } from '../../test/support/work-for.js';
import { SharedTime } from './shared-time.js';

describe('SharedTime', () => {
  it('runs a piece that takes all the time of a turn alone in it, in the order of the requests', async () => {
    const time = new SharedTime(5);
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    const begun: number[] = [];
    let turnsBetween = 0;
    const pieces = numbers.map((number) =>
      time.run(() => {
        begun.push(number);
        workFor(6);
      }),
    );
    const all = Promise.all(pieces);
    for (let before = begun.length; begun.length < numbers.length; before = begun.length) {
      await setImmediate();
      if (begun.length > before) turnsBetween += 1;
      expect(begun.length - before).toBeLessThanOrEqual(1);
    }
    await all;
    expect(begun).toEqual(numbers);
    expect(turnsBetween).toBe(numbers.length - 1);
  });

  it('lets clients take turns', async () => {
    const time = new SharedTime(5);
    const begun: string[] = [];
    const run = (client: string): Promise<void> =>
      time.run(() => {
        begun.push(client);
        workFor(6);
      }, client);
    await Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(run));
    expect(begun.join('')).toBe('aabcaba');
  });

  it('lets no new piece overtake those that wait', async () => {
    const time = new SharedTime(5);
    const begun: string[] = [];
    const run = (name: string, ms: number): Promise<void> =>
      time.run(() => {
        begun.push(name);
        workFor(ms);
      });
    const first = run('first', 6);
    const waiting = ['second', 'third', 'fourth', 'fifth'].map((name) => run(name, 0));
    // A new turn begins with the second piece, and has time left when this one comes.
    const late = waiting[0]!.then(() => run('late', 0));
    await Promise.all([first, ...waiting, late]);
    expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'fifth', 'late']);
  });

  it('runs small pieces in the same turn', async () => {
    const time = new SharedTime(60_000);
    const begun: number[] = [];
    const pieces = [0, 1, 2].map((number) => time.run(() => begun.push(number)));
    expect(begun).toEqual([0, 1, 2]);
    await Promise.all(pieces);
  });

  it('gives the result or the error of the work, and goes on after an error', async () => {
    const time = new SharedTime(1);
    await expect(time.run(() => 1)).resolves.toBe(1);
    const failed = time.run(() => {
      throw new Error('bad');
    });
    await expect(failed).rejects.toThrow('bad');
    await expect(time.run(() => 2)).resolves.toBe(2);
  });
});
