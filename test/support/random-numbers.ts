import { SEED } from './properties.js';

/** Integers below a bound, the same in every run except with `npm run test:fuzz` (mulberry32). */
export function randomNumbers(seed = SEED): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
