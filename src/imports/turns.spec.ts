import { jest } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { Turns } from './import-lines.js';

describe('Turns', () => {
  it('gives one turn per event loop iteration, in the order of the requests', async () => {
    const turns = new Turns();
    const given: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let round = 1; round <= 2; round += 1) {
        await turns.next();
        given.push(name + round);
      }
    };
    const done = Promise.all(['a', 'b', 'c'].map(work));
    const seen: number[] = [];
    while (given.length < 6) {
      await setImmediate();
      seen.push(given.length);
    }
    await done;
    expect(given).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
    const growth = seen.map((count, index) => count - (seen[index - 1] ?? 0));
    expect(Math.max(...growth)).toBe(1);
  });

  it('reports that a turn has used its time', async () => {
    const turns = new Turns();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    await turns.next();
    expect(turns.isOver).toBe(false);
    clock.mockReturnValue(1_005);
    expect(turns.isOver).toBe(true);
    clock.mockRestore();
  });
});
