import { setImmediate } from 'node:timers/promises';
import { SharedTime } from './shared-time.js';

/** Takes the processor for some milliseconds. */
function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('SharedTime', () => {
  it('spreads the pieces of many over the turns of the event loop, in their order', async () => {
    const time = new SharedTime(5);
    let turn = 0;
    const begun: [piece: number, turn: number][] = [];
    const pieces = Array.from({ length: 8 }, (_, piece) =>
      time.run(() => {
        begun.push([piece, turn]);
        workFor(3);
      }),
    );
    for (; begun.length < pieces.length; turn += 1) await setImmediate();
    await Promise.all(pieces);
    expect(begun.map(([piece]) => piece)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const numbers = Array.from(
      { length: turn + 1 },
      (_, at) => begun.filter((each) => each[1] === at).length,
    );
    expect(Math.max(...numbers)).toBeLessThanOrEqual(2);
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
