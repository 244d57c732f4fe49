/** A signal, from Ctrl-C or the system, ended the command. */
export class Interrupted extends Error {
  /** The shell convention: 128 plus the signal number. */
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM', outcome: string) {
    super(`Interrupted. ${outcome}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs the work with a signal that Ctrl-C aborts, so that it ends cleanly. A second Ctrl-C ends the process at once.
 *
 * @param outcome the message to show after an early end
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
    // The abort's reason takes precedence over the error of the work.
    controller.signal.throwIfAborted();
    throw error;
  } finally {
    stopListening();
  }
}
