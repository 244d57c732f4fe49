import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, type Zlib } from 'node:zlib';
import {
  BodyTooLarge,
  InflatesTooMuch,
  InvalidRequest,
  RequestTimedOut,
} from '../../problem-details/problems.js';
import type { BodyShare } from './body-shares.js';
import { ByteCollector } from './byte-collector.js';
import { Pace } from './pace.js';

/** The client closed the connection before its request was complete, so no response is sent. */
export class ClientGone extends Error {
  constructor() {
    super('The client closed the connection.');
    this.name = 'ClientGone';
  }
}

export type ContentCoding = 'gzip' | 'deflate' | 'br';

/** Pauses up to this length do not count. */
const GRACE_MS = 5_000;

/** The minimum average rate of a body after the first minute; otherwise a byte now and then would hold memory for hours. */
const MIN_BYTES_PER_SECOND = 1_024;

/**
 * The maximum ratio of decoded to sent bytes, beyond the first MiB. Exports of similar posts reach 130, exports of posts
 * that share 4,000 characters reach 600, and bombs reach 1,000 (gzip) and more; see docs/operate/security.md.
 */
const MAX_RATIO = 600;
const FREELY_DECODED_BYTES = 1_048_576;

/** Fewer, larger pieces than zlib's own 16 KiB. */
const DECODED_CHUNK_BYTES = 65_536;

/** The memory of one decoder: its buffer, its window and its tables. */
export const DECODER_BYTES = DECODED_CHUNK_BYTES + 49_152;

export interface RequestBodyOptions {
  readonly coding: ContentCoding | undefined;
  /** What the client holds with the body. */
  readonly share: BodyShare;
  /** The limit of the sent and of the decoded bytes. */
  readonly maxBytes: number;
  /** The longest wait for the next decoded byte. */
  readonly idleTimeoutMs: number;
  /** Called just before the first byte is read: the moment for `100 Continue`. */
  readonly onReadStart?: (() => void) | undefined;
  /** Called with each decoded chunk as it arrives. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/**
 * The body of a request, after its content coding. It ends with an error when it is too slow (counted in decoded bytes
 * while its reader waits), exceeds a limit, is corrupt, or when the client disconnects.
 *
 * It is a stream of its own because Node closes the connection of a request that is destroyed, and an async iterator
 * destroys what it reads. When it ends early, the rest of the request is discarded, so that the response can be sent.
 */
export class RequestBody extends Transform {
  readonly share: BodyShare;
  readonly #socket: Socket;
  #clientGone: AbortController | undefined;
  #idle: NodeJS.Timeout | undefined;
  #decoder: (Transform & Zlib) | undefined;
  #sentBytes = 0;
  #decodedBytes = 0;
  readonly #pace = new Pace(MIN_BYTES_PER_SECOND, GRACE_MS);

  constructor(
    private readonly request: IncomingMessage,
    /** In lower case, without parameters. */
    readonly mediaType: string,
    private readonly options: RequestBodyOptions,
  ) {
    super({ highWaterMark: DECODED_CHUNK_BYTES });
    this.#socket = request.socket;
    this.share = options.share;
    this.share.body = this;
    // A reader that has stopped does not listen; without a listener, an error would end the process.
    this.on('error', () => undefined);
  }

  /** Aborted with {@link ClientGone} when the client disconnects. */
  get clientGone(): AbortSignal {
    return (this.#clientGone ??= new AbortController()).signal;
  }

  /** The whole body, which counts in the share. @throws TooManyBodies @throws as the body ends */
  readAll(): Promise<Buffer> {
    const collector = new ByteCollector();
    return new Promise((resolve, reject) => {
      this.once('error', reject).once('end', () => resolve(collector.toBuffer()));
      this.on('data', (chunk: Buffer) => {
        collector.add(chunk);
        try {
          this.share.hold(chunk.length);
        } catch (refusal) {
          this.destroy(refusal as Error);
        }
      });
    });
  }

  /** Call when the response is complete or the client has disconnected, if the handler reads the body. */
  close(): void {
    this.#clientGone?.abort(new ClientGone());
    // A body that nothing has read is still open.
    if (!this.destroyed) this.destroy(new ClientGone());
  }

  override _read(size: number): void {
    this.#pace.start();
    if (this.#idle) this.#idle.refresh();
    else this.#start();
    // oxlint-disable-next-line no-underscore-dangle -- it is the name of Node
    super._read(size);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#decodedBytes += chunk.length;
    if (this.#decodedBytes > Math.max(FREELY_DECODED_BYTES, MAX_RATIO * this.#sentBytes)) {
      done(new InflatesTooMuch(MAX_RATIO));
      return;
    }
    if (this.#decodedBytes > this.options.maxBytes) {
      done(new BodyTooLarge(this.options.maxBytes));
      return;
    }
    this.#idle!.refresh();
    this.#pace.stop();
    this.#pace.add(chunk.length);
    this.options.onBytes?.(chunk);
    // Until the reader wants more, the client is not slow.
    if (this.push(chunk)) this.#pace.start();
    done();
  }

  override _flush(done: TransformCallback): void {
    // A decoder ends with the compressed data and ignores the bytes that follow.
    const isComplete = !this.options.coding || this.#decoder?.bytesWritten === this.#sentBytes;
    done(isComplete ? null : this.#corrupt());
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#idle);
    // A body that was read is short-lived garbage; kept until the response, it would cost a quarter of a write's speed.
    this.share.body = undefined;
    this.#socket.off('close', this.#onGone);
    this.request.off('data', this.#onSent).off('end', this.#onAllSent);
    this.#decoder?.destroy();
    // Node itself discards only a body that was never read.
    if (this.#idle) this.request.resume();
    callback(error);
  }

  #start(): void {
    const { onReadStart, idleTimeoutMs, maxBytes } = this.options;
    if (this.#socket.destroyed) {
      this.#onGone();
      return;
    }
    // Refused before the body is sent, not after.
    if (Number(this.request.headers['content-length'] ?? 0) > maxBytes) {
      this.destroy(new BodyTooLarge(maxBytes));
      return;
    }
    onReadStart?.();
    this.#idle = setTimeout(() => {
      if (!this.#pace.isWaiting) this.#idle!.refresh();
      else this.destroy(new RequestTimedOut(`No byte of the body arrived for ${idleTimeoutMs / 1000} s.`));
    }, idleTimeoutMs);
    this.#socket.once('close', this.#onGone);
    this.request.on('data', this.#onSent).on('end', this.#onAllSent);
  }

  readonly #onGone = (): void => void this.destroy(new ClientGone());

  readonly #onSent = (chunk: Buffer): void => {
    const { coding, maxBytes } = this.options;
    this.#sentBytes += chunk.length;
    if (this.#sentBytes > maxBytes) {
      this.destroy(new BodyTooLarge(maxBytes));
    } else if (this.#pace.leftMs < 0) {
      const detail = `The body arrived at less than ${MIN_BYTES_PER_SECOND} bytes a second.`;
      this.destroy(new RequestTimedOut(detail));
    } else {
      if (coding) this.#decoder ??= this.#openDecoder(coding, chunk);
      const next = this.#decoder ?? this;
      if (next.write(chunk)) return;
      this.request.pause();
      next.once('drain', () => this.request.resume());
    }
  };

  readonly #onAllSent = (): void => void (this.#decoder ?? this).end();

  #openDecoder(coding: ContentCoding, first: Buffer): Transform & Zlib {
    const decoder = createDecoder(coding, first);
    decoder.on('error', () => this.destroy(this.#corrupt())).pipe(this);
    return decoder;
  }

  #corrupt(): InvalidRequest {
    const detail = `The body is not complete and correct ${this.options.coding} data, as Content-Encoding says it is.`;
    return new InvalidRequest([{ detail, code: 'malformed_encoding', pointer: '' }]);
  }

  /** How far the client is behind a rate, in milliseconds; negative while it is ahead. */
  lagMs(bytesPerSecond: number): number {
    return this.#pace.lagMs(bytesPerSecond);
  }
}

function createDecoder(coding: ContentCoding, first: Buffer): Transform & Zlib {
  const options = { chunkSize: DECODED_CHUNK_BYTES };
  if (coding === 'gzip') return createGunzip(options);
  if (coding === 'br') return createBrotliDecompress(options);
  // `deflate` is the zlib format, but some clients send it without its wrapper (RFC 9110 §8.4.1.2, note). The low half
  // of the first byte of a zlib header is 8 (RFC 1950 §2.2); encoders do not start a raw stream with it.
  return (first[0]! & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options);
}
