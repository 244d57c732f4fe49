import { jest } from '@jest/globals';

/** What a test needs to go on while no timer ends. */
const UNTOUCHED = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
] as const;

/**
 * From here on no time limit ends, so that a slow machine changes nothing: for tests that count what waits. End it with
 * `jest.useRealTimers()`.
 */
export function stopTimers(): void {
  jest.useFakeTimers({ doNotFake: [...UNTOUCHED] });
}
