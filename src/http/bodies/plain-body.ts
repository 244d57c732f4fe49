import type { Request } from 'express';
import { ByteCollector } from '../../text/byte-collector.js';
import { BodyTooLarge } from '../../problem-details/index.js';
import type { BodyShare } from './body-quotas.js';
import type { IdempotentRequest } from './idempotent-request.js';

/**
 * The body of a request without a content coding, which is read whole: the chunks as Node hands them over. The two streams
 * that RequestBody needs for the others cost a tenth of a small write.
 */
export class PlainBody {
  readonly #bytes = new ByteCollector();
  readonly #share: BodyShare;
  #fail: ((reason: Error) => void) | undefined;

  /**
   * @param maxBytes the limit of its bytes
   * @param idempotent gets each chunk as it arrives
   */
  constructor(
    private readonly request: Request,
    private readonly maxBytes: number,
    private readonly idempotent: IdempotentRequest | undefined,
  ) {
    this.#share = request.context.bodyShare!;
  }

  /**
   * The whole body, which counts in the share.
   *
   * @throws BodyTooLarge @throws TooBusy @throws the reason for which the request ends, such as ClientGone
   */
  async readAll(): Promise<Buffer> {
    const { request } = this;
    request.context.reading = this;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#fail = reject;
        request.on('data', this.#onChunk).once('end', resolve);
      });
      return this.#bytes.toBuffer();
    } finally {
      // A body that was read is short-lived garbage; kept until the response, it would cost a quarter of a write's speed.
      request.context.reading = undefined;
      // After an error, the rest of the body is discarded, so that the response can be sent.
      request.off('data', this.#onChunk).resume();
    }
  }

  /** Ends the reading with an error. */
  destroy(reason: Error): void {
    this.#fail?.(reason);
  }

  readonly #onChunk = (chunk: Buffer): void => {
    try {
      if (this.#bytes.length + chunk.length > this.maxBytes) throw new BodyTooLarge(this.maxBytes);
      this.idempotent?.addBytes(chunk);
      this.#share.holdChunk(chunk);
      this.#bytes.add(chunk);
    } catch (error) {
      this.destroy(error as Error);
    }
  };
}
