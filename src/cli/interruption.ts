/** The person at the keyboard, or the system, has ended the command. */
export class Interrupted extends Error {
  /** As shells say it: 128 and the number of the signal. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM', outcome: string) {
    super(`Interrupted. ${outcome}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs the work with a signal that Ctrl-C aborts, so that it ends in order; a second Ctrl-C ends the process at once.
 *
 * @param outcome what is to be said of an end before the time
 */
export async function interruptible<Result>(
  outcome: string,
  work: (cancel: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const onSignal = (signal: 'SIGINT' | 'SIGTERM'): void => {
    stopListening();
    controller.abort(new Interrupted(signal, outcome));
  };
  const stopListening = (): void => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever came of the abort.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    stopListening();
  }
}
