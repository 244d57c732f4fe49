import type { IncomingMessage } from 'node:http';
import {
  BodyTooLarge,
  InflatesTooMuch,
  RequestTimedOut,
  TooManyBodies,
} from '../../problem-details/problems.js';
import type { EntryList } from '../pipeline/entry-list.js';
import type { MemoryLease } from './body-memory.js';
import { type RequestCoding, corruptData, INFLATER_BYTES, Inflation } from './inflation.js';

/** The client closed the connection before its request was complete, so no response is sent. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** The minimum average rate of a body after the slow start. */
const MIN_BYTES_PER_SECOND = 1_024;
const SLOW_START_MS = 60_000;

/**
 * The maximum ratio of inflated to sent bytes for each content coding, beyond the first MiB. Exports of similar posts
 * reach 130, exports of posts that share 4,000 characters reach 600, and bombs reach 1,000 (gzip) and more; see
 * docs/security.md.
 */
const MAX_INFLATION = 600;
const FREELY_INFLATED_BYTES = 1_048_576;

export interface BodyReadingOptions {
  /** Limits the bytes as sent. */
  readonly maxBodyBytes: number;
  /** The longest wait for the next inflated byte. */
  readonly idleTimeoutMs: number;
  /** The memory lease of the inflaters. `onChunk` must count the memory of the body itself. */
  readonly memory?: MemoryLease | undefined;
  /** The active readings. Calling an entry ends its reading. */
  readonly reading?: EntryList<(reason: Error) => void> | undefined;
}

export interface BodyEvents {
  onChunk(chunk: Buffer): void;
  onComplete(): void;
  onFailed(reason: Error): void;
}

/**
 * Reads the body of one request. The reading ends when the body is complete, exceeds a limit or is too slow (counted in
 * inflated bytes while we wait for them), when the client disconnects, or when another client needs the memory.
 *
 * After a failure, the rest of the body is discarded so that the connection can serve the next request.
 */
export class BodyReading {
  readonly #request: IncomingMessage;
  readonly #socket: IncomingMessage['socket'];
  readonly #idle: NodeJS.Timeout;
  readonly #unlist: () => void;
  #inflation: Inflation | undefined;
  #isOver = false;
  #isPaused = false;
  #sentBytes = 0;
  #inflatedBytes = 0;
  #waitedMs = 0;
  #waitingSince = performance.now();

  constructor(
    request: IncomingMessage,
    /** In the order they were applied (RFC 9110 §8.4). */
    private readonly codings: readonly RequestCoding[],
    private readonly options: BodyReadingOptions,
    private readonly events: BodyEvents,
  ) {
    const { idleTimeoutMs, memory, reading } = options;
    this.#request = request;
    this.#socket = request.socket;
    this.#idle = setTimeout(() => {
      if (this.#isPaused) this.#idle.refresh();
      else this.fail(new RequestTimedOut(`No byte of the body arrived for ${idleTimeoutMs / 1000} s.`));
    }, idleTimeoutMs);
    const entry = reading?.add(this.fail);
    this.#unlist = () => entry && reading?.remove(entry);
    memory?.mayBeEnded(() => this.fail(new TooManyBodies()));
    this.#socket.once('close', this.#onGone);
    request
      .on('data', this.#onSent)
      .on('end', this.#onAllSent)
      .on('error', this.#onGone)
      .on('close', this.#onGone);
  }

  /** Pauses the body until {@link resume}. A pause does not count as slowness of the client. */
  pause(): void {
    if (this.#isOver || this.#isPaused) return;
    this.#isPaused = true;
    this.#waitedMs += performance.now() - this.#waitingSince;
    if (this.#inflation) this.#inflation.pause();
    else this.#request.pause();
  }

  resume(): void {
    if (this.#isOver || !this.#isPaused) return;
    this.#isPaused = false;
    this.#waitingSince = performance.now();
    this.#idle.refresh();
    if (this.#inflation) this.#inflation.resume();
    else this.#request.resume();
  }

  /** Ends the reading; has no effect when it has ended. */
  readonly fail = (reason: Error): void => {
    if (this.#isOver) return;
    this.#finish();
    this.#inflation?.stop();
    // Node itself discards only a body that was never read.
    this.#request.resume();
    this.events.onFailed(reason);
  };

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#idle);
    this.#unlist();
    this.options.memory?.mayBeEnded(undefined);
    this.#socket.off('close', this.#onGone);
    this.#stopListening();
  }

  #stopListening(): void {
    this.#request
      .off('data', this.#onSent)
      .off('end', this.#onAllSent)
      .off('error', this.#onGone)
      .off('close', this.#onGone);
  }

  readonly #onSent = (chunk: Buffer): void => {
    const { maxBodyBytes } = this.options;
    this.#sentBytes += chunk.length;
    if (this.#sentBytes > maxBodyBytes) return this.fail(new BodyTooLarge(maxBodyBytes));
    if (this.codings.length === 0) this.#take(chunk);
    else this.#inflate(chunk);
    if (this.#inflatedBytes < this.#leastBytes()) {
      this.fail(new RequestTimedOut(`The body arrived at less than ${MIN_BYTES_PER_SECOND} bytes a second.`));
    }
  };

  readonly #onAllSent = (): void => {
    // A request also emits `close` after all of it is read. From here on, only the socket shows that the client has
    // disconnected.
    this.#stopListening();
    if (this.codings.length === 0) return this.#complete();
    if (this.#inflation) this.#inflation.end();
    else this.fail(corruptData(this.codings));
  };

  readonly #onGone = (): void => this.fail(new ClientGone());

  #inflate(chunk: Buffer): void {
    this.#inflation ??= this.#startInflation(chunk);
    const hasRoom = this.#inflation?.write(chunk, () => {
      if (!this.#isOver) this.#request.resume();
    });
    if (hasRoom === false) this.#request.pause();
  }

  #startInflation(first: Buffer): Inflation | undefined {
    const { codings } = this;
    const { memory } = this.options;
    if (memory?.inflaters.take(codings.length * INFLATER_BYTES) === false) {
      this.fail(new TooManyBodies());
      return undefined;
    }
    return new Inflation(codings, first, {
      onInflated: (chunk) => this.#take(chunk),
      onStageBytes: (bytes) => {
        const allowed = Math.max(FREELY_INFLATED_BYTES, MAX_INFLATION * this.#sentBytes);
        if (bytes > allowed) this.fail(new InflatesTooMuch(MAX_INFLATION));
      },
      onEnd: () => {
        memory?.inflaters.giveBack(codings.length * INFLATER_BYTES);
        this.#complete();
      },
      onFault: this.fail,
    });
  }

  #take(chunk: Buffer): void {
    this.#inflatedBytes += chunk.length;
    if (chunk.length > 0) this.#idle.refresh();
    this.events.onChunk(chunk);
  }

  #complete(): void {
    if (this.#isOver) return;
    this.#finish();
    this.events.onComplete();
  }

  /**
   * The bytes that must have arrived by now. Without this minimum, a client that sends a byte now and then would hold
   * memory indefinitely.
   */
  #leastBytes(): number {
    const waitedMs = this.#waitedMs + (this.#isPaused ? 0 : performance.now() - this.#waitingSince);
    return ((waitedMs - SLOW_START_MS) / 1_000) * MIN_BYTES_PER_SECOND;
  }
}
