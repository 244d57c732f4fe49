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

  it('accepts connections before requests begin, and lets requests begin between them', async () => {
    const { turns, begin, done } = setUp();
    // Node accepts one connection in each turn of the event loop.
    const accepted: number[] = [];
    for (let turn = 0; done.length < 3; turn += 1) {
      turns.noteConnection();
      accepted[done.length] = (accepted[done.length] ?? 0) + 1;
      void begin('one', 6);
      workFor(1);
      await nextTurn();
    }
    // Between two requests, each of which takes the time of a turn.
    expect(Math.min(...accepted)).toBeGreaterThan(1);
    expect(Math.max(...accepted)).toBeLessThan(20);
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
