import * as fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counterexamples by test name. `npm run test:fuzz` adds new ones, and every run tries them again. */
const CASES = join(import.meta.dirname, 'property-cases.json');

interface Case {
  readonly seed: number;
  readonly path: string;
}

const { FUZZ_SEED = '20261120', FUZZ_RUNS = '1' } = process.env;
const isRandom = FUZZ_SEED === 'random';

/** The same in every run, unless FUZZ_SEED is another number or "random". */
export const SEED = isRandom ? Math.trunc(Math.random() * 2 ** 31) : Number(FUZZ_SEED);

/**
 * Tests a property with random values, `runs` × FUZZ_RUNS times. A failure reports the seed. With a random seed, it
 * also adds the counterexample to the cases.
 */
export async function checkProperty<Values>(property: fc.IRawProperty<Values>, runs = 100): Promise<void> {
  const name = expect.getState().currentTestName!;
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as Record<string, Case[]>;
  for (const { seed, path } of cases[name] ?? []) await fc.assert(property, { seed, path, numRuns: runs });
  const result = await fc.check(property, { seed: SEED, numRuns: runs * Number(FUZZ_RUNS) });
  if (!result.failed) return;
  if (isRandom && result.counterexamplePath !== null) {
    const found = { seed: SEED, path: result.counterexamplePath };
    const all = { ...cases, [name]: [...(cases[name] ?? []), found] };
    writeFileSync(CASES, `${JSON.stringify(all, undefined, 2)}\n`);
  }
  throw new Error(fc.defaultReportMessage(result), { cause: result.errorInstance });
}
