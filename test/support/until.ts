import { setTimeout as sleep } from 'node:timers/promises';

/** Generous: a test waits this long only when something is broken. */
const LIMIT_MS = 120_000;
const PAUSE_MS = 10;

/** Waits for a state. @throws after a time limit that no working machine reaches */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It did not come true in time: ${holds.toString()}`);
    await sleep(PAUSE_MS);
  }
}

/** Some of the matchers of `expect`. */
interface PollMatchers {
  toBe(expected: unknown): Promise<void>;
  toEqual(expected: unknown): Promise<void>;
  toHaveLength(expected: number): Promise<void>;
  toMatch(expected: RegExp): Promise<void>;
}

/** Like `expect.poll` of Playwright: reads again until the assertion passes. @throws its last error after a time limit */
export function poll(read: () => unknown): PollMatchers {
  async function retry(assertion: (value: unknown) => void): Promise<void> {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      try {
        return assertion(await read());
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      await sleep(PAUSE_MS);
    }
  }
  return {
    toBe: (expected) => retry((value) => expect(value).toBe(expected)),
    toEqual: (expected) => retry((value) => expect(value).toEqual(expected)),
    toHaveLength: (expected) => retry((value) => expect(value).toHaveLength(expected)),
    toMatch: (expected) => retry((value) => expect(value).toMatch(expected)),
  };
}
