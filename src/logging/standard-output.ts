import { type DestinationStream, pino } from 'pino';

/** The interval for retrying a full pipe; a reader empties 64 KiB in less. */
const RETRY_MS = 1;
/** How many bytes wait for a stopped reader; further lines are dropped to save memory. */
const MAX_WAITING_BYTES = 16 * 1_024 * 1_024;
/** How long the process waits at exit for a reader that takes nothing. */
const EXIT_PATIENCE_MS = 2_000;

/**
 * pino's own destination, so that a line is written when the call returns, and is not lost when the process is killed.
 * Alone, it would block everything for 100 ms whenever the pipe is full. Here, lines wait while requests go on; they are
 * written when the pipe has room, or at the exit of the process.
 *
 * @param fd must be in non-blocking mode, as `process.stdout.fd` is; otherwise a slow reader blocks the process
 */
export function standardOutput(fd: number): DestinationStream {
  let isFull = false;
  let retry: NodeJS.Timeout | undefined;
  const destination = pino.destination({
    dest: fd,
    sync: true,
    maxLength: MAX_WAITING_BYTES,
    retryEAGAIN: () => false,
  });
  /** @returns false while the pipe is full */
  const writeWaiting = (): boolean => {
    isFull = false;
    destination.write('');
    return !isFull;
  };
  destination.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Without a reader, nothing can be logged any more, and the service continues.
    if (code === 'EPIPE') destination.write = () => true;
    if (code !== 'EAGAIN') return;
    isFull = true;
    retry ??= setTimeout(() => {
      retry = undefined;
      writeWaiting();
    }, RETRY_MS).unref();
  });
  // Not flushSync(), which waits for ever when the reader is gone.
  process.once('exit', () => {
    const clock = new Int32Array(new SharedArrayBuffer(4));
    const deadline = Date.now() + EXIT_PATIENCE_MS;
    while (!writeWaiting() && Date.now() < deadline) Atomics.wait(clock, 0, 0, RETRY_MS);
  });
  return destination;
}
