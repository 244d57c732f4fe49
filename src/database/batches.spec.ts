import { setImmediate } from 'node:timers/promises';
import type { Client } from '../limits/index.js';
import { Batches, type BatchOptions, type ItemOptions } from './batches.js';

/** Returns each item with the state from when its batch began. Negative ones are refused, and 99 fails its batch. */
function setUp(
  options: Partial<BatchOptions<number, string>> = {},
  optionsOf: (item: number) => ItemOptions = () => ({}),
) {
  const world = {
    batches: [] as number[][],
    state: 1,
    turn: Promise.resolve(),
  };
  const batches = new Batches<number, string>({
    maxRunning: 2,
    ...options,
    run: async (take) => {
      await world.turn;
      const items = take();
      world.batches.push([...items]);
      const { state } = world;
      await setImmediate();
      if (items.includes(99)) throw new Error('99');
      return items.map((item) =>
        item < 0 ? { refused: `${item} is negative` } : { result: `${item} in state ${state}` },
      );
    },
  });
  const add = (...items: number[]) => Promise.all(items.map((item) => batches.add(item, optionsOf(item))));
  return { world, batches, add };
}

function clientNamed(name: string): Client {
  return { name, signal: new AbortController().signal };
}

describe('Batches', () => {
  it('handles items of one key one after another', async () => {
    const { world, add } = setUp({}, (key) => ({ key }));
    await add(1, 2, 10, 2);
    expect(world.batches).toEqual([[1, 2, 10], [2]]);
  });

  it('handles items one by one after a fault that one of them may have caused', async () => {
    const { world, batches } = setUp();
    const outcomes = await Promise.allSettled([1, 99, -2].map((item) => batches.add(item)));
    expect(outcomes).toMatchObject([
      { value: '1 in state 1' },
      { reason: { message: '99' } },
      { reason: '-2 is negative' },
    ]);
    expect(world.batches).toEqual([[1, 99, -2], [1], [99], [-2]]);
  });

  it('handles a long item alone', async () => {
    const { world, add } = setUp({}, (item) => ({ length: item === 2 ? 2_000_000 : 1 }));
    await add(1, 2, 3, 4);
    expect(world.batches).toEqual([[1], [2], [3, 4]]);
  });

  it('takes the items of different clients in turns', async () => {
    const { world, add } = setUp({ maxRunning: 1, maxItems: 2, takesTurns: true }, (item) => ({
      client: clientNamed(item > 10 ? 'many' : 'few'),
    }));
    await add(11, 12, 13, 14, 1);
    expect(world.batches).toEqual([[11, 1], [12, 13], [14]]);
  });

  it('rejects only an item that is refused', async () => {
    const { batches } = setUp();
    const outcomes = await Promise.allSettled([1, -2, 3].map((item) => batches.add(item)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: '-2 is negative' });
  });

  it('never adds an item to a batch that runs', async () => {
    const { world, add } = setUp();
    const early = add(1);
    await setImmediate();
    expect(world.batches).toEqual([[1]]);
    world.state = 2;
    expect([await add(1), await early]).toEqual([['1 in state 2'], ['1 in state 1']]);
  });

  it('rejects an item that has waited too long for its turn, and never runs it', async () => {
    let begin!: () => void;
    const { world, batches } = setUp({ maxWaitMs: 50 });
    world.turn = new Promise((resolve) => (begin = resolve));
    await expect(batches.add(1)).rejects.toMatchObject({ kind: 'busy' });
    const later = batches.add(2);
    begin();
    expect(await later).toBe('2 in state 1');
    // The batch that had begun for the first item took the second.
    expect(world.batches).toEqual([[2]]);
  });

  it('never runs items whose client has gone, and does not wait for their turn to reject them', async () => {
    let begin!: () => void;
    const gone = new AbortController();
    const client = { name: 'a', signal: gone.signal, isGone: false };
    const { world, batches } = setUp({ maxRunning: 1 }, () => ({}));
    world.turn = new Promise((resolve) => (begin = resolve));
    const first = batches.add(1, { client });
    const second = batches.add(2);
    client.isGone = true;
    gone.abort('gone');
    await expect(first).rejects.toBe('gone');
    const third = batches.add(3, { client });
    begin();
    await expect(third).rejects.toBe('gone');
    expect(await second).toBe('2 in state 1');
    expect(world.batches).toEqual([[2]]);
  });

  it('refuses items beyond the length of the line, of one client beyond a quarter of it', async () => {
    let begin!: () => void;
    const { world, batches } = setUp({ maxRunning: 1, maxWaiting: 8 });
    world.turn = new Promise((resolve) => (begin = resolve));
    const many = { client: clientNamed('many') };
    const waiting = [batches.add(1, many), batches.add(2, many)];
    await expect(batches.add(3, many)).rejects.toMatchObject({ kind: 'busy' });
    for (const item of [4, 5, 6, 7, 8, 9])
      waiting.push(batches.add(item, { client: clientNamed(`${item}`) }));
    await expect(batches.add(11, { client: clientNamed('last') })).rejects.toMatchObject({ kind: 'busy' });
    begin();
    expect(await Promise.all(waiting)).toHaveLength(8);
  });
});
