import * as fc from 'fast-check';

const { FUZZ_SEED = '20261120', FUZZ_RUNS = '1' } = process.env;

/** The same in every run, unless FUZZ_SEED is another number or "random". */
const SEED = FUZZ_SEED === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(FUZZ_SEED);

/** Tests a property with random values, `runs` × FUZZ_RUNS times. A failure reports the seed. */
export async function checkProperty<Values>(property: fc.IRawProperty<Values>, runs = 100): Promise<void> {
  await fc.assert(property, { seed: SEED, numRuns: runs * Number(FUZZ_RUNS) });
}

/** Integers below a bound, the same in every run except with FUZZ_SEED=random (mulberry32). */
export function randomNumbers(seed = SEED): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** Shares from 0 to 1, the same in every run except with FUZZ_SEED. */
export function randomShares(): () => number {
  const random = randomNumbers();
  return () => random(2 ** 32) / 2 ** 32;
}
