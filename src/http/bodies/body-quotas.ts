import { ClientQuota, type Release } from '../../limits/index.js';
import { TooBusy } from '../../problem-details/index.js';

const MAX_BODIES = 1_024;
/**
 * Decoders that work at once, each with a thread of libuv, which SQLite needs too. (Measured, 64 bodies that inflate to the
 * limit delayed a small write by up to 1.9 s.)
 */
const MAX_DECODING = 4;
const MAX_DECODING_WAIT_MS = 6_000;
/** The time limit for a request with its body; see stream-writer.ts for responses. */
export const REQUEST_TIMEOUT_MS = 3_600_000;
/** Each import uses the event loop, a file and a thread for decompression. */
const MAX_IMPORTS = 16;
/** The first bytes of each body are not counted, so that there is always room for small bodies. */
const SMALL_BYTES = 65_536;
/**
 * The number of bodies of the maximum size that fit at once, one of them of one client. While a body is processed, it
 * takes several times its size.
 */
const LARGEST_BODIES = 4;
/** What a body takes besides its bytes, such as a decoder. */
const OVERHEAD_BYTES = 1_048_576;
/** With a small MAX_BODY_BYTES, the number of clients determines the memory, not the size of their bodies. */
const MIN_BYTES = 67_108_864;
/** Chunks of a body that is sent byte by byte cost this much each. */
const MIN_CHUNK_BYTES = 256;

/** Limits the bodies that are read or held at once, and their bytes. */
export class BodyQuotas {
  readonly bodies = new ClientQuota(MAX_BODIES);
  readonly imports = new ClientQuota(MAX_IMPORTS);
  /** A body waits for its place with each piece that it decodes. */
  readonly decoding = new ClientQuota(MAX_DECODING, MAX_DECODING_WAIT_MS, MAX_BODIES);
  readonly bytes: ClientQuota;

  constructor(maxBodyBytes: number) {
    this.bytes = new ClientQuota(Math.max(LARGEST_BODIES * (maxBodyBytes + OVERHEAD_BYTES), MIN_BYTES));
  }
}

/** What the body of one request holds until the response is complete: a place among the bodies, and bytes. */
export class BodyShare {
  #bytes = 0;
  #counted = 0;
  #isOpen = true;
  readonly #places: ClientQuota;

  /** @throws TooBusy */
  constructor(
    readonly client: string,
    private readonly quotas: BodyQuotas,
    private readonly isImport: boolean,
  ) {
    this.#places = isImport ? quotas.imports : quotas.bodies;
    this.#places.takeNow(client);
  }

  /** @throws TooBusy */
  hold(bytes: number): void {
    const counted = countedOf(this.#bytes + bytes);
    // An import may still read when its client has disconnected.
    const more = this.#isOpen ? counted - this.#counted : 0;
    if (more > 0 && !this.quotas.bytes.take(this.client, more)) {
      // At once, so that not all bodies are refused when all of them need more at the same time.
      this.release();
      throw new TooBusy();
    }
    this.#bytes += bytes;
    this.#counted += more;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
    if (!this.#isOpen) return;
    const less = this.#counted - countedOf(this.#bytes);
    if (less > 0) this.quotas.bytes.give(this.client, less);
    this.#counted -= less;
  }

  /** Holds a chunk until the end. @throws TooBusy */
  holdChunk({ length }: Buffer): void {
    this.hold(Math.max(length, MIN_CHUNK_BYTES));
  }

  /**
   * Waits for a thread that decodes a piece. An import waits for the lines of others as long as a request may take; there are
   * few of them.
   *
   * @throws TooBusy
   * @throws the signal's reason
   */
  waitToDecode(signal: AbortSignal): Promise<Release> {
    const maxWaitMs = this.isImport ? REQUEST_TIMEOUT_MS : undefined;
    return this.quotas.decoding.wait({ name: this.client, signal }, 1, maxWaitMs);
  }

  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#places.give(this.client);
    this.quotas.bytes.give(this.client, this.#counted);
  }
}

/** How many of the bytes that a body holds are counted. */
function countedOf(bytes: number): number {
  return Math.max(0, bytes - SMALL_BYTES);
}
