/** Shorter times than this are lost among those of the garbage collector and the compiler. */
const MEASURABLE_MS = 25;

const MOST_TIMES = 11;

/** How often a measurement that looks too long is made again: what grows too fast does so every time. */
const ROUNDS = 5;

/**
 * Holds a piece of work to a time that grows with its input: four times the input may take eleven times as long, where
 * what grows with the square of it takes sixteen. (What does not fit into the processor's caches, and has the garbage
 * collected beside it, took up to 8.4 times as long on a busy machine.) Both are measured in one run, so the machine's own
 * speed has no say.
 *
 * The sizes begin small, so that what grows too fast is found before it takes minutes.
 */
export async function expectLinearTime<T>(
  largest: number,
  make: (size: number) => T,
  work: (input: T) => unknown,
): Promise<void> {
  let size = Math.ceil(largest / 4 ** 8);
  let input = make(size);
  let ms = await cpuMsOf(() => work(input));
  while (size < largest) {
    const nextSize = Math.min(4 * size, largest);
    const next = make(nextSize);
    let nextMs = await cpuMsOf(() => work(next));
    const most = () => MOST_TIMES * Math.max(ms, MEASURABLE_MS);
    for (let round = 1; round < ROUNDS && nextMs > most(); round++) {
      ms = Math.min(ms, await cpuMsOf(() => work(input)));
      nextMs = Math.min(nextMs, await cpuMsOf(() => work(next)));
    }
    expect(nextMs).toBeLessThanOrEqual(most());
    [size, input, ms] = [nextSize, next, nextMs];
  }
}

/** The CPU time that this process spends on a piece of work: unlike a clock, it waits for nobody else. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
