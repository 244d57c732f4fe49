import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import { BodyTooLarge, InvalidRequest, RequestTimedOut, TooManyBodies } from '../problem-details/problems.js';
import { ClientGone } from './client-gone.js';
import type { Roster } from './roster.js';

export type ContentCoding = 'gzip' | 'deflate' | 'br';

export interface BodyLimits {
  /** Holds for the bytes as sent and for the inflated ones. */
  maxBodyBytes: number;
  /** The longest wait for the next byte. */
  idleTimeoutMs: number;
  /** Counts the bytes of the body, inflated; false when there is no room for them. */
  takeMemory?: ((bytes: number) => boolean) | undefined;
  /** Those that are reading a body. Calling one ends it. */
  reading?: Roster<(reason: Error) => void> | undefined;
  /** Sees the bytes of the body, inflated, as they come. */
  onBytes?: ((bytes: Buffer) => void) | undefined;
}

/** How many chunks wait before they become one: a body sent byte by byte must not cost an object a byte. */
const CHUNKS_PER_BLOCK = 1024;

/** How slow a body may be on average, once it had time to begin. */
const MIN_BYTES_PER_SECOND = 1_024;
const SLOW_START_MS = 60_000;

/** Fewer, larger pieces than zlib's own 16 KiB. */
const INFLATED_CHUNK_BYTES = 65_536;

/**
 * Reads the body of a request to its end, inflated.
 *
 * After a refusal what is left of the body is let go, so that the connection can serve the next request.
 *
 * @param codings the content codings in the order they were applied (RFC 9110 §8.4)
 * @param onReadStart called just before the first byte is read; not called when the body is refused unread
 * @throws BodyTooLarge
 * @throws RequestTimedOut
 * @throws InvalidRequest when the compressed data is corrupt or cut off
 * @throws ClientGone
 */
export async function readBodyBytes(
  request: IncomingMessage,
  codings: readonly ContentCoding[],
  limits: BodyLimits,
  onReadStart?: () => void,
): Promise<Buffer> {
  const { maxBodyBytes } = limits;
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new BodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw new ClientGone();
  onReadStart?.();
  return collectBytes(request, codings, limits);
}

function collectBytes(
  request: IncomingMessage,
  codings: readonly ContentCoding[],
  { maxBodyBytes, idleTimeoutMs, takeMemory, reading, onBytes }: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = new ByteCollector();
    let inflation: Inflation | undefined;
    let receivedBytes = 0;
    const startedAt = performance.now();
    const idle = setTimeout(() => {
      fail(new RequestTimedOut(`No byte of the body came for ${idleTimeoutMs / 1000} s.`));
    }, idleTimeoutMs);

    const stopListening = () => {
      clearTimeout(idle);
      if (entry) reading?.remove(entry);
      request
        .off('data', onReceived)
        .off('end', onReceivedAll)
        .off('error', onAborted)
        .off('close', onAborted);
    };
    const succeed = () => resolve(body.toBuffer());
    const fail = (reason: Error) => {
      stopListening();
      inflation?.stop();
      // Node lets go by itself only a body that nobody has begun to read.
      request.resume();
      reject(reason);
    };

    const take = (chunk: Buffer) => {
      body.add(chunk);
      if (body.length > maxBodyBytes) return fail(new BodyTooLarge(maxBodyBytes));
      if (takeMemory?.(chunk.length) === false) return fail(new TooManyBodies());
      onBytes?.(chunk);
    };
    const onReceived = (chunk: Buffer) => {
      idle.refresh();
      receivedBytes += chunk.length;
      if (receivedBytes > maxBodyBytes) return fail(new BodyTooLarge(maxBodyBytes));
      if (receivedBytes < leastBytesAfter(performance.now() - startedAt)) {
        return fail(
          new RequestTimedOut(`The body came at less than ${MIN_BYTES_PER_SECOND} bytes a second.`),
        );
      }
      if (codings.length === 0) return take(chunk);
      inflation ??= new Inflation(codings, chunk, { take, succeed, fail });
      const hasRoom = inflation.write(chunk, () => {
        idle.refresh();
        request.resume();
      });
      if (!hasRoom) request.pause();
    };
    const onReceivedAll = () => {
      stopListening();
      if (codings.length === 0) return succeed();
      if (inflation === undefined) return fail(corruptData(codings));
      inflation.end();
    };
    const onAborted = () => fail(new ClientGone());

    const entry = reading?.add(fail);
    request.on('data', onReceived).on('end', onReceivedAll).on('error', onAborted).on('close', onAborted);
  });
}

/** How much of a body must have come by now: a byte now and then would hold its memory for years. */
function leastBytesAfter(elapsedMs: number): number {
  return ((elapsedMs - SLOW_START_MS) / 1_000) * MIN_BYTES_PER_SECOND;
}

interface InflationEvents {
  take: (chunk: Buffer) => void;
  succeed: () => void;
  fail: (reason: Error) => void;
}

interface Stage {
  readonly inflater: Transform & Zlib;
  givenBytes: number;
}

/** Undoes one content coding after the other, and tells when there is more, or less, than they announce. */
class Inflation {
  readonly #stages: Stage[];
  #stopped = false;

  /** @param first the first bytes of the body */
  constructor(codings: readonly ContentCoding[], first: Buffer, { take, succeed, fail }: InflationEvents) {
    const failCorrupt = () => {
      if (!this.#stopped) fail(corruptData(codings));
    };
    this.#stages = codings.toReversed().map((coding, index) => ({
      inflater: createInflater(coding, index === 0 ? first : undefined),
      givenBytes: 0,
    }));
    for (const [index, stage] of this.#stages.entries()) {
      const { inflater } = stage;
      const next = this.#stages[index + 1];
      inflater.on('error', failCorrupt);
      inflater.on('end', () => {
        // An inflater ends where the compressed data do, whatever follows them.
        if (inflater.bytesWritten < stage.givenBytes) failCorrupt();
        else if (!next && !this.#stopped) succeed();
      });
      inflater.on('data', (chunk: Buffer) => {
        if (next) next.givenBytes += chunk.length;
        else if (!this.#stopped) take(chunk);
      });
      if (next) inflater.pipe(next.inflater);
    }
  }

  /** @returns whether more may be written at once; if not, `onDrain` tells when */
  write(chunk: Buffer, onDrain: () => void): boolean {
    const head = this.#stages[0]!;
    head.givenBytes += chunk.length;
    const hasRoom = head.inflater.write(chunk);
    if (!hasRoom) head.inflater.once('drain', onDrain);
    return hasRoom;
  }

  end(): void {
    this.#stages[0]!.inflater.end();
  }

  /** Frees what the inflaters hold; nothing is reported any more. */
  stop(): void {
    this.#stopped = true;
    for (const { inflater } of this.#stages) inflater.destroy();
  }
}

/** What undoes a content coding. @param first the first bytes of the body, where they are known */
export function createInflater(coding: ContentCoding, first: Buffer | undefined): Transform & Zlib {
  const options = { chunkSize: INFLATED_CHUNK_BYTES };
  if (coding === 'gzip') return createGunzip(options);
  if (coding === 'br') return createBrotliDecompress(options);
  // `deflate` is the zlib format, yet some clients send it without its wrapper (RFC 9110 §8.4.1.2, note). A zlib
  // header says 8 in the low half of its first byte (RFC 1950 §2.2); encoders begin no raw stream so.
  const isZlib = first === undefined || (first[0]! & 0x0f) === 8;
  return isZlib ? createInflate(options) : createInflateRaw(options);
}

/** What is said of compressed data that cannot be inflated, or not to its end. */
export function corruptData(codings: readonly ContentCoding[]): InvalidRequest {
  const detail = `The body is not complete and correct ${codings.join(', ')} data, as Content-Encoding says it is.`;
  return new InvalidRequest([{ detail, pointer: '' }]);
}

/** Editors on Windows put one before UTF-8 (RFC 8259 §8.1 lets a reader ignore it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/** Gathers chunks of any size and number, copying each byte at most twice. */
class ByteCollector {
  length = 0;
  #blocks: Buffer[] = [];
  #recent: Buffer[] = [];

  add(chunk: Buffer): void {
    this.length += chunk.length;
    this.#recent.push(chunk);
    if (this.#recent.length === CHUNKS_PER_BLOCK) {
      this.#blocks.push(Buffer.concat(this.#recent));
      this.#recent = [];
    }
  }

  toBuffer(): Buffer {
    const chunks = [...this.#blocks, ...this.#recent];
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, this.length);
  }
}
