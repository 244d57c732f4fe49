import type { BodyShare } from './body-shares.js';
import { ClientGone, type DecodedBody } from './decoded-body.js';

/** A request body that the operation reads as a stream. */
export class RequestBodyStream implements AsyncIterable<Buffer> {
  readonly #clientGone = new AbortController();

  /**
   * @param mediaType in lower case, without parameters
   * @param share for the parts of the body that the reader holds
   */
  constructor(
    readonly mediaType: string,
    private readonly body: DecodedBody,
    readonly share: BodyShare,
  ) {}

  /** Aborted with ClientGone when the client disconnects. */
  get clientGone(): AbortSignal {
    return this.#clientGone.signal;
  }

  /** @throws as {@link DecodedBody} ends */
  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return this.body[Symbol.asyncIterator]();
  }

  /** Reads and ignores what is left. @throws as {@link DecodedBody} ends */
  async readToEnd(): Promise<void> {
    for await (const chunk of this.body) void chunk;
  }

  /** Call when the response is complete or the client has disconnected. */
  close(): void {
    const reason = new ClientGone();
    this.#clientGone.abort(reason);
    // A body that nothing has read is still open.
    this.body.destroy(reason);
  }
}
