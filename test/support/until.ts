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

/**
 * Waits until this many requests are in flight, besides the metrics request. @param metrics reads the text of
 * `/metrics`
 */
export async function untilInFlight(requests: number, metrics: () => Promise<string>): Promise<void> {
  await until(async () => (await metrics()).includes(`\nhttp_requests_in_flight ${requests + 1}\n`));
}
