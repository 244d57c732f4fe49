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
 * When a chunk takes longer than this to be decoded and read, the connection is read ahead, a piece each interval, in
 * milliseconds. On a connection that it does not read, Node does not notice that the client has gone, and a chunk of 64 KiB can
 * hold a million lines, which take half a minute.
 */
const SLOW_CHUNK_MS = 250;
const READ_AHEAD_MS = 20;

/**
 * How far a body without coding is read before its reader, while its client has room for that. On a connection that it does
 * not read, Node does not notice that the client has gone: four imports of 4 MiB of short lines went on for 2.7 s.
 */
const READ_AHEAD_BYTES = 3 * 1_048_576;

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
  /** When the decoder got its current chunk; undefined while it waits for one. */
  #decodingSince: number | undefined;
  /** The bytes that were read ahead and count in the share. They wait for the decoder, or for the reader. */
  #aheadBytes = 0;
  #readingAhead: NodeJS.Timeout | undefined;
  /** The bytes of a body without coding that have arrived, and that its reader has not taken. */
  #waitingBytes = 0;

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
    if (this.#decoder) this.#decode(this.#decoder);
    else request.on('data', this.#takeAhead).once('end', this.#endTaken);
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
    if (!this.#decoder) {
      this.#waitingBytes -= chunk.length;
      this.#readOn();
    }
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
    clearInterval(this.#readingAhead);
    this.request.off('data', this.#onSent).off('data', this.#takeAhead).off('end', this.#endTaken).unpipe();
    this.#decoder?.destroy();
    // Node itself discards only a body that was never read.
    this.request.resume();
    callback(error);
  }

  /** Reads the request through a decoder. */
  #decode(decoder: Decoder): void {
    decoder.on('error', () => this.destroy(corrupt()));
    const chunks = this.#decodeInTurns(decoder);
    this.request.pipe(chunks);
    this.#readingAhead = setInterval(() => this.#readAhead(chunks.writableLength), READ_AHEAD_MS);
    decoder.pipe(this);
  }

  readonly #takeAhead = (chunk: Buffer): void => {
    // The chunk before it may have been beyond the limit.
    if (this.destroyed) return;
    this.#waitingBytes += chunk.length;
    this.write(chunk);
    this.#readOn();
  };

  readonly #endTaken = (): void => void this.end();

  /** Lets the request go on, or wait until the reader of the body has taken a chunk that waits. */
  #readOn(): void {
    const more = this.#waitingBytes - this.#aheadBytes;
    const isHeld = more <= 0 || this.share.holdIfRoom(more);
    if (more < 0) this.share.giveBack(-more);
    if (isHeld) this.#aheadBytes = this.#waitingBytes;
    const isFarAhead = !isHeld || this.share.heldBytes >= READ_AHEAD_BYTES;
    if (isFarAhead && this.#waitingBytes > 0) this.request.pause();
    else if (this.request.isPaused()) this.request.resume();
  }

  /** Gives a decoder each chunk when it is the turn of its client. */
  #decodeInTurns(decoder: Decoder): Writable {
    const decode = async (chunk: Buffer): Promise<void> => {
      const release = await this.share.waitToDecode(this.signal);
      // A decoder that is destroyed may never report that it is done.
      decoder.once('close', release);
      if (!decoder.destroyed) await new Promise((done) => decoder.write(chunk, done));
      decoder.off('close', release);
      release();
    };
    const chunks = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#decodingSince = performance.now();
        decode(chunk)
          .catch((error: unknown) => this.destroy(error as Error))
          .finally(() => {
            this.#decodingSince = undefined;
            this.#holdAhead(Math.min(this.#aheadBytes, chunks.writableLength - chunk.length));
            done();
          });
      },
      final: (done) => void decoder.end(done),
    });
    return chunks;
  }

  /**
   * While a chunk is slow, reads what has arrived since, or that the client has gone.
   *
   * @param waitingBytes how many bytes wait for the decoder already
   */
  #readAhead(waitingBytes: number): void {
    const since = this.#decodingSince;
    if (since === undefined || performance.now() - since <= SLOW_CHUNK_MS) return;
    try {
      this.#holdAhead(waitingBytes);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    // The request is paused until the decoder takes more, but what this reads is written to the decoder's chunks.
    this.request.read();
  }

  /** @throws TooBusy */
  #holdAhead(bytes: number): void {
    const more = bytes - this.#aheadBytes;
    this.#aheadBytes = bytes;
    if (more > 0) this.share.hold(more);
    else this.share.giveBack(-more);
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
