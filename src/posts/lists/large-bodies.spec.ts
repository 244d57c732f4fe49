import { jest } from '@jest/globals';
import { aReader } from '../../../test/support/reader.js';
import { TooManyResponses } from '../../problem-details/problems.js';
import { LargeBodies } from './post-snapshots.js';

const MIB = 1_048_576;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('LargeBodies', () => {
  it('admits bodies while there is room, and then in order of arrival', async () => {
    const bodies = new LargeBodies({ maxBodyBytes: 64 * MIB });
    const order: string[] = [];
    const first = await bodies.wait(aReader(), 64 * MIB);
    const second = await bodies.wait(aReader(), 60 * MIB);
    const third = bodies.wait(aReader(), 64 * MIB).then((release) => {
      order.push('third');
      return release;
    });
    // It would fit, but waits for the third.
    const fourth = bodies.wait(aReader(), MIB).then(() => order.push('fourth'));
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    const releaseThird = await third;
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
    second();
    releaseThird();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('admits a body of any size while it holds no other', async () => {
    const bodies = new LargeBodies({ maxBodyBytes: 1_000 });
    const release = await bodies.wait(aReader(), 1_000 * MIB);
    const other = bodies.wait(aReader(), 1);
    release();
    await expect(other).resolves.toEqual(expect.any(Function));
  });

  it('rejects a reader that waits for 30 seconds', async () => {
    const bodies = new LargeBodies({ maxBodyBytes: 1_000 });
    const release = await bodies.wait(aReader(), 64 * MIB);
    const waiting = bodies.wait(aReader(), 1).catch((reason: unknown) => reason);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await waiting).toBeInstanceOf(TooManyResponses);
    release();
    await expect(bodies.wait(aReader(), 64 * MIB)).resolves.toEqual(expect.any(Function));
  });
});
