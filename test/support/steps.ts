import type { Steps } from '../../src/text/steps.js';

/** Does work in steps. @returns its result, and how many steps it took */
export function stepsOf<Result>(work: Steps<Result>): { readonly steps: number; readonly result: Result } {
  for (let steps = 1; ; steps += 1) {
    const { done, value } = work.next();
    if (done) return { steps, result: value };
  }
}
