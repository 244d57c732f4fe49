import { setImmediate } from 'node:timers/promises';

/** Counts the turns that the event loop gives to other tasks during the work. */
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
