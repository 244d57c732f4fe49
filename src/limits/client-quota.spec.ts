import { jest } from '@jest/globals';
import { ClientQuota, type Client, type Release } from './client-quota.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const client = (name: string, signal = new AbortController().signal): Client => ({ name, signal });

/** The state of a promise. */
function watch(pending: Promise<Release>): { state: string; release?: Release } {
  const seen: { state: string; release?: Release } = { state: 'waits' };
  pending.then(
    (release) => Object.assign(seen, { state: 'has it', release }),
    (reason: unknown) => Object.assign(seen, { state: (reason as Error).name }),
  );
  return seen;
}

describe('a quota', () => {
  it('gives one client a quarter, over all of its requests', () => {
    const quota = new ClientQuota(100);
    expect([quota.take('a', 20), quota.take('a', 6), quota.take('a', 5)]).toEqual([true, false, true]);
    expect(quota.take('a')).toBe(false);
    quota.give('a', 1);
    expect([quota.take('a'), quota.held]).toEqual([true, 25]);
    for (const name of ['b', 'c', 'd']) expect(quota.take(name, 25)).toBe(true);
    expect([quota.take('e'), quota.held]).toEqual([false, 100]);
  });

  it('gives a client that holds nothing more than a quarter where it is free, and all of it when it is alone', () => {
    const quota = new ClientQuota(100);
    expect([quota.take('a', 150), quota.take('b')]).toEqual([true, false]);
    quota.give('a', 150);
    expect([quota.take('a', 60), quota.take('b', 41), quota.take('b', 40)]).toEqual([true, false, true]);
  });
});

describe('a request that waits', () => {
  it('gets its part in the order of the line, past clients that hold their quarter', async () => {
    const quota = new ClientQuota(4);
    const releases = [];
    for (const name of ['a', 'b', 'c', 'd']) releases.push(await quota.wait(client(name)));
    const waiting = ['a', 'e', 'f'].map((name) => watch(quota.wait(client(name))));
    releases[1]!();
    releases[1]!();
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ state }) => state)).toEqual(['waits', 'has it', 'waits']);
    releases[0]!();
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ state }) => state)).toEqual(['has it', 'has it', 'waits']);
  });

  it('is refused after 6 s, or when its client disconnects', async () => {
    const quota = new ClientQuota(1);
    const release = await quota.wait(client('a'));
    const controller = new AbortController();
    const waiting = watch(quota.wait(client('b')));
    const gone = watch(quota.wait(client('c', controller.signal)));
    controller.abort(new RangeError());
    await jest.advanceTimersByTimeAsync(5_999);
    expect([waiting.state, gone.state]).toEqual(['waits', 'RangeError']);
    await jest.advanceTimersByTimeAsync(1);
    expect(waiting.state).toBe('TooBusy');
    release();
    expect([quota.held, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('is refused at once when 64 of its client, or 256 of all, wait', async () => {
    const quota = new ClientQuota(1);
    await quota.wait(client('a'));
    const ofOne = Array.from({ length: 65 }, () => watch(quota.wait(client('greedy'))));
    const others = Array.from({ length: 193 }, (_, index) => watch(quota.wait(client(`client ${index}`))));
    await jest.advanceTimersByTimeAsync(0);
    expect(ofOne.filter(({ state }) => state === 'TooBusy')).toHaveLength(1);
    expect(others.filter(({ state }) => state === 'TooBusy')).toHaveLength(1);
  });

  it('no longer counts among those of its client once it has its part, and not twice when the client disconnects then', async () => {
    // One request of a client may wait.
    const quota = new ClientQuota(1, 6_000, 4);
    const controller = new AbortController();
    await quota.wait(client('a', controller.signal));
    const second = watch(quota.wait(client('a')));
    controller.abort();
    const third = watch(quota.wait(client('a')));
    await jest.advanceTimersByTimeAsync(0);
    expect([second.state, third.state]).toEqual(['waits', 'TooBusy']);
  });
});
