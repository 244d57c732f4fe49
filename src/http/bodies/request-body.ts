import type { Request } from 'express';
import { Transform, type TransformCallback, Writable } from 'node:stream';
import { ByteCollector } from '../../text/byte-collector.js';
import { BodyTooLarge, InflatesTooMuch, InvalidRequest } from '../../problem-details/index.js';
import type { BodyFormat, Decoder } from './body-format.js';
import type { BodyShare } from './body-quotas.js';
import type { IdempotentRequest } from './idempotent-request.js';

/**
 * The maximum ratio of decoded to sent bytes, beyond the first MiB. Exports of similar posts reach 130, exports of posts
 * that share 4,000 characters reach 600, and bombs reach 1,000 (gzip) and more; see docs/operate/security.md.
 */
const MAX_RATIO = 600;
const FREELY_DECODED_BYTES = 1_048_576;

/** Fewer, larger pieces than zlib's own 16 KiB. */
const DECODED_CHUNK_BYTES = 65_536;

/**
 * How far the body of an import is read before its reader, while its client has room for that. On a connection that it does
 * not read, Node does not notice that the client has gone, and a connection holds some 4 MiB.
 *
 * Of each client, only the first import whose bytes wait is read, and read ahead. When it ends, the next one is read to its end at
 * once, and so on: what four imports had read ahead, all of them would have to work through before they saw that their client
 * has gone.
 */
const READ_AHEAD_BYTES = 5 * 1_048_576;

/**
 * When so many compressed bytes take longer than this to be decoded and read, the connection is read ahead without that limit, a
 * piece each interval, in milliseconds: 64 KiB can hold a million lines, which take half a minute.
 */
const SLOW_BYTES = 65_536;
const SLOW_MS = 250;
const READ_SLOW_MS = 5;

/** The memory of one decoder: its buffer, its window and its tables. */
const DECODER_BYTES = DECODED_CHUNK_BYTES + 49_152;

/**
 * The body of a request, after its content coding. It ends with an error when it exceeds a limit, is corrupt, or when
 * its request ends. InFlightRequests ends it when nothing arrives for too long.
 *
 * It is a stream of its own because Node closes the connection of a request that is destroyed, and an async iterator
 * destroys what it reads. When it ends early, the rest of the request is discarded, so that the response can be sent.
 */
export class RequestBody extends Transform {
  /** The memory that the client holds for the body. */
  readonly share: BodyShare;
  readonly #decoder: Decoder | undefined;
  #sentBytes = 0;
  #decodedBytes = 0;
  /** The compressed chunks that wait for the decoder. */
  readonly #compressed: Writable | undefined;
  /** Since when the decoder works on its current chunk; undefined while it has none, or waits for its turn. */
  #decodingSince: number | undefined;
  /** What it has decoded of {@link SLOW_BYTES}, without that chunk, and for how long. */
  #decodedOfThem = 0;
  #decodedOfThemMs = 0;
  #readingSlow: NodeJS.Timeout | undefined;
  /** The bytes that have arrived, and that the decoder, or the reader of a body without coding, has not taken. */
  #waitingBytes = 0;
  /** How many of them count in the share. */
  #aheadBytes = 0;
  /** Lets a decoder go on that waits until this is the first import of its client. */
  #goOn: (() => void) | undefined;

  /** In lower case, without parameters. */
  readonly mediaType: string;

  /**
   * @param maxBytes the limit of the sent and of the decoded bytes
   * @param idempotent gets each decoded chunk as it arrives
   * @throws TooBusy
   */
  constructor(
    private readonly request: Request,
    format: BodyFormat,
    private readonly maxBytes: number,
    private readonly idempotent: IdempotentRequest | undefined,
  ) {
    super({ highWaterMark: DECODED_CHUNK_BYTES });
    this.mediaType = format.type;
    this.share = request.context.bodyShare!;
    if (format.createDecoder) this.share.hold(DECODER_BYTES);
    request.context.reading = this;
    // A reader that has stopped does not listen; without a listener, an error would end the process.
    this.on('error', () => undefined);
    request.on('data', this.#onSent);
    this.#decoder = format.createDecoder?.({ chunkSize: DECODED_CHUNK_BYTES });
    if (this.#decoder) this.#compressed = this.#decode(this.#decoder);
    request.on('data', this.#takeAhead).once('end', this.#endTaken);
  }

  /** The client that sends the body. */
  get client(): string {
    return this.share.client;
  }

  /** Aborted when the work on it must end. */
  get signal(): AbortSignal {
    return this.request.context.signal;
  }

  /** The whole body, which counts in the share. @throws TooBusy @throws as the body ends */
  async readAll(): Promise<Buffer> {
    const bytes = new ByteCollector();
    for await (const chunk of this) {
      this.share.holdChunk(chunk as Buffer);
      bytes.add(chunk as Buffer);
    }
    return bytes.toBuffer();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#decodedBytes += chunk.length;
    if (!this.#decoder) this.#noteTaken(chunk.length);
    if (this.#decodedBytes > Math.max(FREELY_DECODED_BYTES, MAX_RATIO * this.#sentBytes)) {
      done(new InflatesTooMuch(MAX_RATIO));
    } else if (this.#decodedBytes > this.maxBytes) {
      done(new BodyTooLarge(this.maxBytes));
    } else {
      this.idempotent?.addBytes(chunk);
      done(null, chunk);
    }
  }

  override _flush(done: TransformCallback): void {
    // A decoder ends with the compressed data and ignores the bytes that follow.
    const isComplete = !this.#decoder || this.#decoder.bytesWritten === this.#sentBytes;
    done(isComplete ? null : corrupt());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    // A body that was read is short-lived garbage; kept until the response, it would cost a quarter of a write's speed.
    this.request.context.reading = undefined;
    clearInterval(this.#readingSlow);
    this.share.endWaiting();
    this.#goOn?.();
    this.request.off('data', this.#onSent).off('data', this.#takeAhead).off('end', this.#endTaken);
    this.#decoder?.destroy();
    // Node itself discards only a body that was never read.
    this.request.resume();
    callback(error);
  }

  readonly #takeAhead = (chunk: Buffer): void => {
    // The chunk before it may have been beyond the limit.
    if (this.destroyed) return;
    this.#waitingBytes += chunk.length;
    // Before the decoder looks whether another import is first.
    this.share.beginToWait(this.#readOn);
    (this.#compressed ?? this).write(chunk);
    this.#readOn();
  };

  readonly #endTaken = (): void => void (this.#compressed ?? this).end();

  #noteTaken(bytes: number): void {
    this.#waitingBytes -= bytes;
    this.#readOn();
  }

  /** Lets the request go on, or wait until a chunk that waits is taken. */
  readonly #readOn = (): void => {
    if (this.destroyed) return;
    if (this.#waitingBytes === 0) this.share.endWaiting();
    if (!this.share.isBehind) this.#goOn?.();
    const more = this.#waitingBytes - this.#aheadBytes;
    const isHeld = more <= 0 || this.share.holdIfRoom(more);
    if (more < 0) this.share.giveBack(-more);
    if (isHeld) this.#aheadBytes = this.#waitingBytes;
    const mayReadAhead = isHeld && this.share.isFirst && this.share.heldBytes < READ_AHEAD_BYTES;
    if (this.#waitingBytes > 0 && !mayReadAhead) this.request.pause();
    else if (this.request.isPaused()) this.request.resume();
  };

  /** Reads the body through a decoder. @returns takes the compressed chunks */
  #decode(decoder: Decoder): Writable {
    decoder.on('error', () => this.destroy(corrupt()));
    this.#readingSlow = setInterval(() => this.#readSlow(), READ_SLOW_MS);
    decoder.pipe(this);
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#decodeInTurn(decoder, chunk)
          .catch((error: unknown) => this.destroy(error as Error))
          .finally(done);
      },
      final: (done) => void decoder.end(done),
    });
  }

  /** Gives a decoder a chunk when it is the turn of its client, and of this body among those of the client. */
  async #decodeInTurn(decoder: Decoder, chunk: Buffer): Promise<void> {
    if (this.share.isBehind) await new Promise<void>((goOn) => (this.#goOn = goOn));
    // The chunks that wait when a body ends are thrown away.
    if (this.destroyed) return;
    const release = await this.share.waitToDecode(this.signal);
    this.#decodingSince = performance.now();
    // A decoder that is destroyed may never report that it is done.
    decoder.once('close', release);
    if (!decoder.destroyed) await new Promise((done) => decoder.write(chunk, done));
    decoder.off('close', release);
    release();
    this.#noteDecoded(performance.now() - this.#decodingSince, chunk.length);
  }

  #noteDecoded(ms: number, bytes: number): void {
    this.#decodingSince = undefined;
    this.#decodedOfThem += bytes;
    this.#decodedOfThemMs += ms;
    if (this.#decodedOfThem >= SLOW_BYTES || this.#waitingBytes === bytes) {
      this.#decodedOfThem = 0;
      this.#decodedOfThemMs = 0;
    }
    this.#noteTaken(bytes);
  }

  /** While the decoder is slow, reads what has arrived since, or that the client has gone. */
  #readSlow(): void {
    if (this.#decodingSince === undefined) return;
    if (this.#decodedOfThemMs + performance.now() - this.#decodingSince <= SLOW_MS) return;
    try {
      this.share.hold(this.#waitingBytes - this.#aheadBytes);
      this.#aheadBytes = this.#waitingBytes;
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    // The request is paused, and this reads one piece.
    this.request.read();
  }

  readonly #onSent = (chunk: Buffer): void => {
    this.#sentBytes += chunk.length;
    if (this.#sentBytes > this.maxBytes) this.destroy(new BodyTooLarge(this.maxBytes));
  };
}

function corrupt(): InvalidRequest {
  const detail = 'The body is not complete and correct data of its Content-Encoding.';
  return new InvalidRequest([{ detail, code: 'malformed_encoding', pointer: '' }]);
}
