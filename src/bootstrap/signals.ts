import { constants } from 'node:os';

/** The signals by which terminals, supervisors and container engines ask a process to end. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * On a signal, does the last work and ends the process by this signal, as it does in a program that handles none.
 *
 * @returns a function that ends this handling
 */
export function endOnSignal(beforeEnd: (signal: NodeJS.Signals) => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    stopHandling();
    beforeEnd(signal);
    process.kill(process.pid, signal);
    // The first process of a container is ended by no signal that it does not handle.
    process.exit(128 + constants.signals[signal]);
  };
  const stopHandling = (): void => {
    for (const signal of STOP_SIGNALS) process.off(signal, end);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, end);
  return stopHandling;
}
