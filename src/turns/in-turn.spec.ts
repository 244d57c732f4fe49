import { setImmediate as turn } from 'node:timers/promises';
import { InTurn } from './in-turn.js';

describe('InTurn', () => {
  it('runs one piece at a time, and lets clients take turns', async () => {
    const inTurn = new InTurn();
    const begun: string[] = [];
    let running = 0;
    const piece = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      begun.push(name);
      await turn();
      running -= 1;
      return name;
    };
    const many = ['a1', 'a2', 'a3'].map((name) => inTurn.run(piece(name), 'a'));
    const others = [inTurn.run(piece('b1'), 'b'), inTurn.run(piece('service'))];
    expect(await Promise.all([...many, ...others])).toEqual(['a1', 'a2', 'a3', 'b1', 'service']);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'service', 'a3']);
  });

  it('goes on after a piece that fails', async () => {
    const inTurn = new InTurn();
    const failing = inTurn.run(async () => {
      await turn();
      throw new Error('of this piece only');
    }, 'a');
    const next = inTurn.run(async () => 'next', 'a');
    await expect(failing).rejects.toThrow('of this piece only');
    expect(await next).toBe('next');
  });

  it('lets no new piece begin between the end of one and the next that waits', async () => {
    const inTurn = new InTurn();
    const begun: string[] = [];
    const late = new Promise<void>((resolve) => {
      const run = (): void => resolve(inTurn.run(async () => void begun.push('late')));
      void inTurn.run(async () => {
        await turn();
        // Two microtasks later, this piece has ended, and the next one has not begun.
        queueMicrotask(() => queueMicrotask(run));
      });
    });
    await Promise.all([inTurn.run(async () => void begun.push('waiting')), late]);
    expect(begun).toEqual(['waiting', 'late']);
  });
});
