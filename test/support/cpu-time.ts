/** Shorter times disappear in the noise of the garbage collector and the compiler. */
const MEASURABLE_MS = 25;

const MOST_TIMES = 11;

/** Repeats of a measurement that looks too slow. Code that is not linear is slow every time. */
const ROUNDS = 5;

/**
 * Expects that the time of some work grows linearly with its input. Four times the input may take 11 times as long;
 * quadratic work takes 16 times. (Linear work that exceeds the processor's caches and triggers garbage collection took
 * up to 8.4 times as long on a busy machine.) All sizes are measured in one run, so the speed of the machine does not
 * matter.
 *
 * The sizes start small, so that work that is not linear fails before it takes minutes.
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

/** The CPU time that this process spends on some work. Unlike elapsed time, it excludes other processes. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
