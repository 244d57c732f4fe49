import { jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workFor } from '../../test/support/work-for.js';
import { Turns } from './turns.js';

/** Works for the clients at once, each for as long, and takes down the order in which the work ends. */
function setUp() {
  const turns = new Turns();
  const done: string[] = [];
  const begin = async (client: string, ms: number): Promise<void> => {
    const turn = turns.wait(() => client, performance.now());
    if (turn) await turn;
    workFor(ms);
    done.push(client);
  };
  return { turns, begin, done };
}

describe('Turns', () => {
  it('lets work of microseconds begin at once, however much there is', () => {
    const turns = new Turns();
    const waits = Array.from({ length: 100 }, (_, number) => turns.wait(() => 'one', 1_000 + number / 100));
    expect(waits.filter((wait) => wait !== undefined)).toEqual([]);
  });

  it('lets the clients take turns when their work takes longer than a turn', async () => {
    const { begin, done } = setUp();
    const all = ['many', 'many', 'many', 'many', 'many', 'few', 'few'].map((client) => begin(client, 6));
    await Promise.all(all);
    expect(done).toEqual(['many', 'many', 'few', 'many', 'few', 'many', 'many']);
  });

  it('lets a client that comes later begin before what others have waiting', async () => {
    const { begin, done } = setUp();
    const all = Array.from({ length: 8 }, () => begin('many', 6));
    await nextTurn();
    await nextTurn();
    const before = done.length;
    await begin('other', 0);
    expect(before).toBeLessThan(4);
    expect(done.slice(before).indexOf('other')).toBeLessThan(2);
    await Promise.all(all);
    expect(done).toHaveLength(9);
  });

  it('lets a client that does not wait begin at once while others wait, and none overtake itself', () => {
    const turns = new Turns();
    const wait = (client: string, now: number): boolean => turns.wait(() => client, now) !== undefined;
    expect(wait('many', 1_000)).toBe(false);
    expect(wait('many', 1_006)).toBe(true);
    // Work that arrived before the time of the turn was over.
    expect(wait('other', 1_001)).toBe(false);
    expect(wait('many', 1_001)).toBe(true);
  });

  describe('while connections arrive, one in each turn of the event loop,', () => {
    /** @param turnMs how long each turn takes @returns how many are accepted before each of two requests begins */
    async function acceptedBefore(turnMs: number): Promise<number[]> {
      const { turns, begin, done } = setUp();
      let now = 1_000;
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
      const accepted: number[] = [];
      while (done.length < 2) {
        turns.noteConnection();
        accepted[done.length] = (accepted[done.length] ?? 0) + 1;
        if (accepted[done.length] === 1) void begin('one', 0);
        now += turnMs;
        await nextTurn();
      }
      clock.mockRestore();
      return accepted;
    }

    it('accepts hundreds of them before requests begin, however few requests wait', async () => {
      for (const accepted of await acceptedBefore(0)) {
        expect(accepted).toBeGreaterThan(250);
        expect(accepted).toBeLessThan(262);
      }
    });

    it('lets requests begin after a time, because each turn may be long', async () => {
      for (const accepted of await acceptedBefore(100)) expect(accepted).toBeLessThan(8);
    });
  });

  it('lets requests begin as soon as no more connections arrive', async () => {
    const { turns, begin, done } = setUp();
    turns.noteConnection();
    void begin('one', 0);
    expect(done).toEqual([]);
    for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    expect(done).toEqual(['one']);
    expect(turns.wait(() => 'one', performance.now())).toBeUndefined();
  });
});
