import { setImmediate } from 'node:timers/promises';

/** How many turns of the event loop others have while the work is done. */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const isOver = { now: false };
  const others = (async () => {
    while (!isOver.now) {
      await setImmediate();
      turns += 1;
    }
  })();
  try {
    await work();
  } finally {
    isOver.now = true;
  }
  await others;
  return turns;
}
