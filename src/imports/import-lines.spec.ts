import { jest } from '@jest/globals';
import { setImmediate as nextRound } from 'node:timers/promises';
import { BodyShares } from '../http/request/body-shares.js';
import { BodyTooLarge, TooManyBodies } from '../problem-details/problems.js';
import { ndjsonFormat } from './import-formats.js';
import { type LineFault, type PostLine, readPosts, takeTurn } from './import-lines.js';
import type { LineRules } from './lines.js';

const MIB = 1_048_576;
const LINE = '{"title":"a","body":""}\n';

async function* inChunks(text: string, chunkBytes = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

async function read(text: string, limits: LineRules = {}, faults: LineFault[] = []): Promise<PostLine[]> {
  const posts: PostLine[] = [];
  for await (const post of readPosts(inChunks(text), ndjsonFormat, { maxLineBytes: MIB, ...limits }, faults))
    posts.push(post);
  return posts;
}

describe('readPosts', () => {
  it('skips blank lines, up to 1 MiB more than the other lines', async () => {
    const posts = await read(`\ufeff\n${LINE}${`${' \t'.repeat(20)}\r\n`.repeat(20_000)}${LINE.repeat(3)}`);
    expect(posts).toHaveLength(4);
    const blank = `${' '.repeat(900)}\n`;
    const long = `{"title":"a","body":"${'x'.repeat(1_000)}"}\n`;
    expect(await read(`${long}${blank}`.repeat(2_000))).toHaveLength(2_000);
  });

  it.each([
    ['empty lines', '\n'],
    ['long lines', `${' '.repeat(100_000)}\n`],
  ])('rejects too many blank lines: %s', async (_, blank) => {
    const faults: LineFault[] = [];
    await read(LINE + blank.repeat(Math.ceil((2 * MIB) / blank.length)), {}, faults);
    expect(faults).toEqual([
      { detail: 'There are too many blank lines.', code: 'too_many', line: expect.any(Number), pointer: '' },
    ]);
  });

  it('yields to the event loop while it reads a chunk of many lines', async () => {
    // Each reading of the clock is a millisecond later than the previous one.
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    let rounds = 0;
    let isOver = false;
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const lines = await read(LINE.repeat(1_000));
    isOver = true;
    clock.mockRestore();
    expect(lines).toHaveLength(1_000);
    expect(rounds).toBeGreaterThan(150);
  });

  it('holds a long line only while it is read', async () => {
    const shares = new BodyShares(MIB);
    const memory = shares.openStream('a');
    const long = `{"title":"long","body":"${'x'.repeat(500_000)}"}\n`;
    expect(await read(long.repeat(200), { memory })).toHaveLength(200);
    expect(shares.heldBytes).toBe(0);

    for (const other of ['b', 'c']) shares.openBody(other).hold(32 * MIB + 65_536);
    await expect(read(long, { memory })).rejects.toBeInstanceOf(TooManyBodies);
  });

  it('refuses a line that is too long', async () => {
    await expect(read(LINE, { maxLineBytes: LINE.length - 2 })).rejects.toBeInstanceOf(BodyTooLarge);
    expect(await read(LINE, { maxLineBytes: LINE.length - 1 })).toHaveLength(1);
  });
});

describe('takeTurn', () => {
  it('gives one turn per round of the event loop, in the order of the requests', async () => {
    const given: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let round = 1; round <= 2; round += 1) {
        await takeTurn();
        given.push(name + round);
      }
    };
    const done = Promise.all(['a', 'b', 'c'].map(work));
    const seen: number[] = [];
    while (given.length < 6) {
      await nextRound();
      seen.push(given.length);
    }
    await done;
    expect(given).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
    const growth = seen.map((count, index) => count - (seen[index - 1] ?? 0));
    expect(Math.max(...growth)).toBe(1);
  });
});
