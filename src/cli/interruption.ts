/** The signals that end a command, and their numbers. */
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const cleanUps: (() => void)[] = [];

/** @param cleanUp removes what a command must not leave when a signal ends it; it may find nothing to remove */
export function cleanUpOnSignal(cleanUp: () => void): void {
  cleanUps.push(cleanUp);
}

/** On a signal, the process cleans up, says so, and ends by the signal, as a program does that does not handle it. */
export function endOnSignals(): void {
  for (const [signal, number] of Object.entries(SIGNALS))
    // Handled once: then the signal has its default effect again.
    process.once(signal, () => {
      for (const cleanUp of cleanUps) cleanUp();
      process.stderr.write(`${signal} ended the command before it was complete; it can be run again.\n`);
      process.kill(process.pid, signal);
      // A signal does not end the first process of a container.
      process.exit(128 + number);
    });
}
