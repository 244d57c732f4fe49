import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import { InvalidRequest } from '../../problem-details/problems.js';

export type ContentCoding = 'gzip' | 'deflate' | 'br';

/** Fewer, larger pieces than zlib's own 16 KiB. */
const INFLATED_CHUNK_BYTES = 65_536;

/** What undoing one content coding takes: its buffer, its window and its tables. */
export const INFLATER_BYTES = INFLATED_CHUNK_BYTES + 49_152;

export interface InflationEvents {
  /** A chunk that has passed all codings. */
  readonly onInflated: (chunk: Buffer) => void;
  /** @param bytes what one of the codings has made of its input so far */
  readonly onStageBytes: (bytes: number) => void;
  readonly onEnd: () => void;
  readonly onFault: (reason: InvalidRequest) => void;
}

interface Stage {
  readonly inflater: Transform & Zlib;
  givenBytes: number;
  madeBytes: number;
}

/** Undoes one content coding after the other, and finds out when there is more, or less, than they announce. */
export class Inflation {
  readonly #stages: Stage[];
  #isStopped = false;

  /**
   * @param codings in the order they were applied (RFC 9110 §8.4)
   * @param first the first bytes of the body
   */
  constructor(
    codings: readonly ContentCoding[],
    first: Buffer,
    { onInflated, onStageBytes, onEnd, onFault }: InflationEvents,
  ) {
    const failCorrupt = (): void => {
      if (!this.#isStopped) onFault(corruptData(codings));
    };
    this.#stages = codings.toReversed().map((coding, index) => ({
      inflater: createInflater(coding, index === 0 ? first : undefined),
      givenBytes: 0,
      madeBytes: 0,
    }));
    for (const [index, stage] of this.#stages.entries()) {
      const { inflater } = stage;
      const next = this.#stages[index + 1];
      inflater.on('error', failCorrupt);
      inflater.on('end', () => {
        // An inflater ends where the compressed data do, whatever follows them.
        if (inflater.bytesWritten < stage.givenBytes) failCorrupt();
        else if (!next && !this.#isStopped) onEnd();
      });
      inflater.on('data', (chunk: Buffer) => {
        if (this.#isStopped) return;
        stage.madeBytes += chunk.length;
        onStageBytes(stage.madeBytes);
        if (this.#isStopped) return;
        if (next) next.givenBytes += chunk.length;
        else onInflated(chunk);
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

  pause(): void {
    this.#stages.at(-1)!.inflater.pause();
  }

  resume(): void {
    this.#stages.at(-1)!.inflater.resume();
  }

  /** Frees what the inflaters hold; nothing is reported any more. */
  stop(): void {
    this.#isStopped = true;
    for (const { inflater } of this.#stages) inflater.destroy();
  }
}

/** What undoes a content coding. @param first the first bytes of the body, where they are known */
function createInflater(coding: ContentCoding, first: Buffer | undefined): Transform & Zlib {
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
  return new InvalidRequest([{ detail, code: 'malformed_encoding', pointer: '' }]);
}
