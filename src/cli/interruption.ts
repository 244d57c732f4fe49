import { endOnSignal } from '../bootstrap/signals.js';

const cleanUps: (() => void)[] = [];

/** @param cleanUp removes what a command must not leave when a signal ends it; it may find nothing to remove */
export function cleanUpOnSignal(cleanUp: () => void): void {
  cleanUps.push(cleanUp);
}

/** On a signal, the command cleans up, says so, and ends. */
export function endCommandOnSignal(): void {
  endOnSignal((signal) => {
    for (const cleanUp of cleanUps) cleanUp();
    process.stderr.write(`${signal} ended the command before it was complete; it can be run again.\n`);
  });
}
