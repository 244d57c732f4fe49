import type { Request } from 'express';
import { Transform, type TransformCallback } from 'node:stream';
import { ByteCollector } from '../../text/byte-collector.js';
import { BodyTooLarge, InflatesTooMuch, InvalidRequest } from '../../problem-details/index.js';
import type { TemporaryFile } from '../../temporary-files/temporary-files.js';
import type { BodyFormat, Decoder } from './body-format.js';
import type { BodyShare } from './body-quotas.js';
import type { IdempotentRequest } from './idempotent-request.js';
import { UnreadChunks } from './unread-chunks.js';

/**
 * The maximum ratio of decoded to sent bytes, beyond the first MiB. Exports of similar posts reach 130, exports of posts
 * that share 4,000 characters reach 600, and bombs reach 1,000 (gzip) and more; see docs/operate/security.md.
 */
const MAX_RATIO = 600;
const FREELY_DECODED_BYTES = 1_048_576;

/** Fewer, larger pieces than zlib's own 16 KiB. */
const DECODED_CHUNK_BYTES = 65_536;

/**
 * How many sent bytes are decoded at a time. They become at most some {@link MAX_RATIO} times as many. Other bodies get the
 * decoder's thread when the reader has taken all of these: it reads the lines of an import in a few seconds at most.
 */
const PIECE_BYTES = 4_096;

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
  readonly #unread: UnreadChunks;
  #sentBytes = 0;
  /** The sent bytes that the decoder has got. */
  #bytesToDecode = 0;
  #decodedBytes = 0;

  /** In lower case, without parameters. */
  readonly mediaType: string;

  /**
   * @param maxBytes the limit of the sent and of the decoded bytes
   * @param idempotent gets each decoded chunk as it arrives
   * @param file where the body of an import waits for its reader; undefined for another body
   * @throws TooBusy
   */
  constructor(
    private readonly request: Request,
    format: BodyFormat,
    private readonly maxBytes: number,
    private readonly idempotent: IdempotentRequest | undefined,
    file: TemporaryFile | undefined,
  ) {
    super({ highWaterMark: DECODED_CHUNK_BYTES });
    this.mediaType = format.type;
    this.share = request.context.bodyShare!;
    if (format.createDecoder) this.share.hold(DECODER_BYTES);
    request.context.reading = this;
    // A reader that has stopped does not listen; without a listener, an error would end the process.
    this.on('error', () => undefined);
    this.#decoder = format.createDecoder?.({ chunkSize: DECODED_CHUNK_BYTES });
    this.#decoder?.on('error', () => this.destroy(corrupt())).pipe(this);
    this.#unread = new UnreadChunks(request, file, (error) => this.destroy(error));
    request.on('data', this.#onSent).once('end', this.#onComplete);
    this.#passChunks().catch((error: unknown) => this.destroy(error as Error));
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
    if (
      this.#decoder &&
      this.#decodedBytes > Math.max(FREELY_DECODED_BYTES, MAX_RATIO * this.#bytesToDecode)
    ) {
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
    this.request.off('data', this.#onSent).off('end', this.#onComplete);
    this.#unread.close();
    this.#decoder?.destroy();
    // Node itself discards only a body that was never read.
    this.request.resume();
    callback(error);
  }

  /** Gives the decoder, or the reader of a body without coding, one chunk after the other. */
  async #passChunks(): Promise<void> {
    for (;;) {
      const chunk = await this.#unread.take();
      if (this.destroyed) return;
      if (!chunk) break;
      if (this.#decoder) await this.#decode(this.#decoder, chunk);
      else await new Promise((done) => this.write(chunk, done));
    }
    (this.#decoder ?? this).end();
  }

  /** Decodes a chunk, each piece when it is the turn of its client. @throws TooBusy @throws the signal's reason */
  async #decode(decoder: Decoder, chunk: Buffer): Promise<void> {
    this.#bytesToDecode += chunk.length;
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      const release = await this.share.waitToDecode(this.signal);
      if (decoder.destroyed) return release();
      // A decoder that is destroyed may never report that it is done.
      decoder.once('close', release);
      const piece = chunk.subarray(start, start + PIECE_BYTES);
      await new Promise((done) => decoder.write(piece, done));
      decoder.off('close', release);
      release();
    }
  }

  readonly #onComplete = (): void => this.#unread.complete();

  readonly #onSent = (chunk: Buffer): void => {
    this.#sentBytes += chunk.length;
    if (this.#sentBytes > this.maxBytes) this.destroy(new BodyTooLarge(this.maxBytes));
    else this.#unread.add(chunk);
  };
}

function corrupt(): InvalidRequest {
  const detail = 'The body is not complete and correct data of its Content-Encoding.';
  return new InvalidRequest([{ detail, code: 'malformed_encoding', pointer: '' }]);
}
