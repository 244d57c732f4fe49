import { closeSync, fstatSync, write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How much text waits for a reader that has stopped, in UTF-16 units; further lines are dropped to save memory. */
const MAX_WAITING_LENGTH = 16 * 1_024 * 1_024;
/** The next attempt where the reader of a pipe has taken nothing. */
const BUSY_RETRY_MS = 100;
/** The next attempt after a failure, such as that of a full disk. Until then, lines are dropped. */
const FAILURE_RETRY_MS = 1_000;
/** How long the process waits at its exit for a reader that takes nothing. */
const EXIT_PATIENCE_MS = 2_000;
/** The pause between two attempts at the exit. */
const EXIT_RETRY_MS = 20;

const STANDARD_STREAMS = [0, 1, 2];
const NOTHING = Buffer.alloc(0);

/** What happens when lines can be written again. */
type OnRecovery = (droppedLines: number, failure: NodeJS.ErrnoException) => void;

/**
 * Writes the lines of the log to a file descriptor, in the background: a slow reader, a full disk or a terminal that is
 * gone neither delays nor ends the service. A line that cannot be written is dropped and counted. What is written is always
 * whole lines: the rest of a line that was cut by a failure comes first when writing works again.
 *
 * pino's own destination cannot do this: it keeps the lines and repeats a failed write at the exit of the process, for
 * ever.
 */
export class LogOutput implements DestinationStream {
  droppedLines = 0;
  onRecovery: OnRecovery | undefined;

  /** The lines that wait, and their length together. */
  #waiting: string[] = [];
  #waitingLength = 0;
  /** The lines that are being written, after the rest of a line that was cut. */
  #lines: readonly string[] = [];
  #restLength = 0;
  /** Their bytes, and how many of these are written. */
  #bytes = NOTHING;
  #written = 0;
  /** Whether the system is writing, or the next attempt waits for its timer. */
  #isBusy = false;
  #isWriting = false;
  #failure: NodeJS.ErrnoException | undefined;
  #droppedBeforeFailure = 0;
  #retryAt = 0;

  constructor(private readonly fd: number) {
    process.once('exit', () => this.#writeAtExit());
  }

  write(line: string): void {
    const isFailing = this.#failure !== undefined && performance.now() < this.#retryAt;
    if (isFailing || this.#waitingLength + line.length > MAX_WAITING_LENGTH) {
      this.droppedLines += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (!this.#isBusy) this.#writeWaiting();
  }

  /** Begins to write all lines that wait. */
  #writeWaiting(): void {
    this.#takeWaiting();
    this.#isBusy = true;
    this.#writeBytes();
  }

  #takeWaiting(): void {
    const rest = this.#bytes.subarray(this.#written);
    this.#lines = this.#waiting;
    this.#restLength = rest.length;
    this.#bytes = Buffer.concat([rest, Buffer.from(this.#lines.join(''))]);
    this.#written = 0;
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  #writeBytes(): void {
    this.#isWriting = true;
    write(this.fd, this.#bytes, this.#written, (error, count) => {
      this.#isWriting = false;
      if (!error) this.#continue(count);
      else if (error.code === 'EAGAIN') setTimeout(() => this.#writeBytes(), BUSY_RETRY_MS).unref();
      else this.#fail(error);
    });
  }

  #continue(count: number): void {
    this.#written += count;
    if (this.#written < this.#bytes.length) return this.#writeBytes();
    this.#bytes = NOTHING;
    this.#written = 0;
    this.#recover();
    if (this.#waiting.length > 0) this.#writeWaiting();
    else this.#isBusy = false;
  }

  #recover(): void {
    const failure = this.#failure;
    if (failure === undefined) return;
    this.#failure = undefined;
    this.onRecovery?.(this.droppedLines - this.#droppedBeforeFailure, failure);
  }

  #fail(failure: NodeJS.ErrnoException): void {
    if (this.#failure === undefined) this.#droppedBeforeFailure = this.droppedLines;
    this.#failure = failure;
    this.#retryAt = performance.now() + FAILURE_RETRY_MS;
    this.#dropUnwritten();
    this.#isBusy = false;
  }

  /** Drops all lines but the one of which a part is written. */
  #dropUnwritten(): void {
    // The end of the line that has the last written byte.
    let end = this.#restLength;
    let unwrittenLines = this.#lines.length;
    for (const line of this.#lines) {
      if (this.#written <= end) break;
      end += Buffer.byteLength(line);
      unwrittenLines -= 1;
    }
    this.droppedLines += unwrittenLines + this.#waiting.length;
    this.#bytes = Buffer.from(this.#bytes.subarray(this.#written, end));
    this.#written = 0;
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  #writeAtExit(): void {
    // The system completes what it is writing before the process ends.
    if (this.#isWriting) this.#written = this.#bytes.length;
    this.#takeWaiting();
    const deadline = performance.now() + EXIT_PATIENCE_MS;
    while (this.#written < this.#bytes.length) {
      try {
        this.#written += writeSync(this.fd, this.#bytes, this.#written);
      } catch (error) {
        const isBusy = (error as NodeJS.ErrnoException).code === 'EAGAIN';
        if (!isBusy) this.#failure = error as NodeJS.ErrnoException;
        if (!isBusy || performance.now() > deadline) break;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_RETRY_MS);
      }
    }
    if (this.#failure?.code === 'EIO') this.#closeTerminal();
  }

  /** Node ends with SIGABRT, in place of our status, when it cannot reset a terminal that is gone. */
  #closeTerminal(): void {
    const { rdev } = fstatSync(this.fd);
    for (const fd of STANDARD_STREAMS) if (fstatSync(fd).rdev === rdev) closeSync(fd);
  }
}

let output: LogOutput | undefined;

/** The log of this process, on standard output. */
export function standardOutput(): LogOutput {
  return (output ??= new LogOutput(openStandardOutput()));
}

/** @returns its file descriptor, on which a write does not wait for the reader */
function openStandardOutput(): number {
  // Node makes a pipe non-blocking when it opens the stream, but a terminal blocking. Stopped by Ctrl+S, it would keep a
  // thread, for which the exit of the process waits.
  const { fd, _handle: handle } = process.stdout as typeof process.stdout & StreamHandle;
  if (process.stdout.isTTY) handle?.setBlocking?.(false);
  return fd;
}

/** Node's own stream of a terminal. */
interface StreamHandle {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}
