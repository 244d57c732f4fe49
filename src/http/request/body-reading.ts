import type { IncomingMessage } from 'node:http';
import {
  BodyTooLarge,
  InflatesTooMuch,
  RequestTimedOut,
  TooManyBodies,
} from '../../problem-details/problems.js';
import type { EntryList } from '../pipeline/entry-list.js';
import type { MemoryLease } from './body-memory.js';
import { type ContentCoding, corruptData, INFLATER_BYTES, Inflation } from './inflation.js';

/** The client closed the connection before its request was complete: there is no response. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

/** How slow a body may be on average, once it had time to begin. */
const MIN_BYTES_PER_SECOND = 1_024;
const SLOW_START_MS = 60_000;

/**
 * How many times as many bytes as were sent each content coding may make of them, beyond the first MiB. Exports of
 * similar posts reach 130, of posts that have 4,000 characters in common 600, and bombs 1,000 (gzip) and more; see
 * docs/security.md.
 */
const MAX_INFLATION = 600;
const FREELY_INFLATED_BYTES = 1_048_576;

export interface BodyReadingOptions {
  /** Holds for the bytes as sent. */
  readonly maxBodyBytes: number;
  /** The longest wait for the next byte, inflated. */
  readonly idleTimeoutMs: number;
  /** Where the inflaters take their memory from; what the body itself takes is for `onChunk` to count. */
  readonly memory?: MemoryLease | undefined;
  /** Those that are reading a body. Calling one ends it. */
  readonly reading?: EntryList<(reason: Error) => void> | undefined;
}

export interface BodyEvents {
  /** Sees the bytes of the body, inflated, as they come. */
  onChunk(chunk: Buffer): void;
  /** Once, unless `onFailed` is called. */
  onComplete(): void;
  onFailed(reason: Error): void;
}

/**
 * The reading of the body of one request. It ends with the first of these: the body is complete; it breaks a limit; it
 * does not keep moving, counted in inflated bytes while we wait for them; its client has gone; its memory is needed for
 * another client.
 *
 * What is left of the body after a failure is discarded, so that the connection can serve the next request.
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
    private readonly codings: readonly ContentCoding[],
    private readonly options: BodyReadingOptions,
    private readonly events: BodyEvents,
  ) {
    const { idleTimeoutMs, memory, reading } = options;
    this.#request = request;
    this.#socket = request.socket;
    this.#idle = setTimeout(() => {
      if (this.#isPaused) this.#idle.refresh();
      else this.fail(new RequestTimedOut(`No byte of the body came for ${idleTimeoutMs / 1000} s.`));
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

  /** Lets the body come no further until {@link resume}; meanwhile it is not the client that is slow. */
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

  /** Ends the reading; nothing happens once it is over. */
  readonly fail = (reason: Error): void => {
    if (this.#isOver) return;
    this.#finish();
    this.#inflation?.stop();
    // Node discards by itself only a body that was never read.
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
      this.fail(new RequestTimedOut(`The body came at less than ${MIN_BYTES_PER_SECOND} bytes a second.`));
    }
  };

  readonly #onAllSent = (): void => {
    // A request is also closed when all of it was read; from here on only the connection tells that the client has gone.
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

  /** How much of the body must have come by now: a byte now and then would hold its memory for years. */
  #leastBytes(): number {
    const waitedMs = this.#waitedMs + (this.#isPaused ? 0 : performance.now() - this.#waitingSince);
    return ((waitedMs - SLOW_START_MS) / 1_000) * MIN_BYTES_PER_SECOND;
  }
}
