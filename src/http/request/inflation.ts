import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import { InvalidRequest } from '../../problem-details/problems.js';

export type RequestCoding = 'gzip' | 'deflate' | 'br';

/** Fewer, larger pieces than zlib's own 16 KiB. */
const INFLATED_CHUNK_BYTES = 65_536;

/** The memory of one inflater: its buffer, its window and its tables. */
export const INFLATER_BYTES = INFLATED_CHUNK_BYTES + 49_152;

export interface InflationEvents {
  readonly onInflated: (chunk: Buffer) => void;
  /** @param bytes the total output of one stage so far */
  readonly onStageBytes: (bytes: number) => void;
  readonly onEnd: () => void;
  readonly onFault: (reason: InvalidRequest) => void;
}

interface Stage {
  readonly inflater: Transform & Zlib;
  givenBytes: number;
  madeBytes: number;
}

/** Decodes the content codings one after the other, and detects data that are truncated or continue after the end. */
export class Inflation {
  readonly #stages: Stage[];
  #isStopped = false;

  /**
   * @param codings in the order they were applied (RFC 9110 §8.4)
   * @param first the first bytes of the body
   */
  constructor(
    codings: readonly RequestCoding[],
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
        // An inflater ends with the compressed data and ignores the bytes that follow.
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

  /** @returns whether more may be written at once; if not, `onDrain` is called when it may */
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

  stop(): void {
    this.#isStopped = true;
    for (const { inflater } of this.#stages) inflater.destroy();
  }
}

/** The inflater of a content coding. @param first the first bytes of the body, if known */
function createInflater(coding: RequestCoding, first: Buffer | undefined): Transform & Zlib {
  const options = { chunkSize: INFLATED_CHUNK_BYTES };
  if (coding === 'gzip') return createGunzip(options);
  if (coding === 'br') return createBrotliDecompress(options);
  // `deflate` is the zlib format, but some clients send it without its wrapper (RFC 9110 §8.4.1.2, note). The low half
  // of the first byte of a zlib header is 8 (RFC 1950 §2.2); encoders do not start a raw stream with it.
  const isZlib = first === undefined || (first[0]! & 0x0f) === 8;
  return isZlib ? createInflate(options) : createInflateRaw(options);
}

/** The problem of compressed data that are corrupt or truncated. */
export function corruptData(codings: readonly RequestCoding[]): InvalidRequest {
  const detail = `The body is not complete and correct ${codings.join(', ')} data, as Content-Encoding says it is.`;
  return new InvalidRequest([{ detail, code: 'malformed_encoding', pointer: '' }]);
}
