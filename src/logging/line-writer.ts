import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** How often a full pipe is tried again; its reader empties 64 KiB in less. */
const RETRY_MS = 1;

/** Characters that wait for a reader that has stopped reading; beyond it lines are dropped, or memory would run out. */
const MAX_WAITING_CHARACTERS = 64 * 1_024 * 1_024;

/** How long the end of the process waits for a reader that takes nothing. */
const EXIT_PATIENCE_MS = 2_000;

/**
 * Writes lines to a file descriptor at once: a line is out when the call returns, so none is lost when the process is
 * killed. Only while a pipe is full lines wait, and requests do not wait with them; they are written when there is room,
 * or at the end of the process.
 *
 * pino's own destination (SonicBoom 4.2) does not do for a service: synchronous, it stops everything for 100 ms
 * whenever the pipe is full (60 us a line into `cat` were measured, against 3); asynchronous, it loses lines that wait
 * when the process ends, and never lets it end when the reader is gone.
 */
export class LineWriter implements DestinationStream {
  /** What is being written, in part perhaps. */
  private current = Buffer.alloc(0);
  private waitingLines: string[] = [];
  private waitingCharacters = 0;
  private retry: NodeJS.Timeout | undefined;
  private isBroken = false;

  /** @param fd in non-blocking mode, or a slow reader holds up the process */
  constructor(private readonly fd: number) {}

  write(line: string): void {
    if (this.isBroken || this.waitingCharacters + line.length > MAX_WAITING_CHARACTERS) return;
    this.waitingLines.push(line);
    this.waitingCharacters += line.length;
    if (this.retry === undefined) this.writeWaiting();
  }

  private readonly writeWaiting = (): void => {
    if (this.retry !== undefined) process.off('exit', this.finish);
    this.retry = undefined;
    while (this.writeSome()) {
      // Goes on until nothing waits or nothing is taken any more.
    }
    if (this.isIdle()) return;
    // The timer does not keep the process alive: if it ends meanwhile, `finish` writes the rest.
    this.retry = setTimeout(this.writeWaiting, RETRY_MS).unref();
    process.once('exit', this.finish);
  };

  private readonly finish = (): void => {
    const clock = new Int32Array(new SharedArrayBuffer(4));
    let deadline = Date.now() + EXIT_PATIENCE_MS;
    while (!this.isIdle() && Date.now() < deadline) {
      if (this.writeSome()) deadline = Date.now() + EXIT_PATIENCE_MS;
      // There are no more timers now; this one sleeps.
      else Atomics.wait(clock, 0, 0, RETRY_MS);
    }
  };

  private isIdle(): boolean {
    return this.current.length === 0 && this.waitingLines.length === 0;
  }

  /** @returns whether anything was written */
  private writeSome(): boolean {
    if (this.isIdle()) return false;
    if (this.current.length === 0) {
      this.current = Buffer.from(this.waitingLines.join(''));
      this.waitingLines = [];
      this.waitingCharacters = 0;
    }
    try {
      this.current = this.current.subarray(writeSync(this.fd, this.current));
      return true;
    } catch (error) {
      if (!isFull(error)) this.giveUp();
      return false;
    }
  }

  /** Nobody reads any more (`EPIPE`), or the disk is full: there is no place left to say so, and the service goes on. */
  private giveUp(): void {
    this.isBroken = true;
    this.current = Buffer.alloc(0);
    this.waitingLines = [];
  }
}

function isFull(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EAGAIN';
}
