import { TooManyBodies, TooManyImports } from '../../problem-details/problems.js';
import { ClientShares, type Holder, type Share } from './client-shares.js';
import type { RequestBody } from './request-body.js';

/** The first bytes of each body are not counted, so that there is always room for small bodies. */
const SMALL_BYTES = 65_536;
/**
 * The number of bodies of the maximum size that fit at once, half of them of one client. While a body is processed, it
 * takes several times its size.
 */
const LARGEST_BODIES = 4;
/** A line of an import counts twice, because it is also written to a file, and read again. */
const STREAM_WEIGHT = 2;
/** With a small MAX_BODY_BYTES, the number of clients determines the memory, not the size of their bodies. */
const MIN_BYTES = 67_108_864;

/** Limits the bodies that are read or held at once, and their bytes, in total and for each client. */
export class BodyShares {
  readonly #bodies = new ClientShares(1_024, 512);
  /** Each import uses the event loop, a file and a thread for decompression. */
  readonly #streams = new ClientShares(16, 4);
  readonly #bytes: ClientShares;

  constructor(maxBodyBytes: number) {
    this.#bytes = new ClientShares(Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES));
  }

  /** The bytes that count: those of small bodies do not. */
  get heldBytes(): number {
    return this.#bytes.held;
  }

  /** @throws TooManyBodies */
  openBody(client: string): BodyShare {
    return new BodyShare(client, this.#bodies, this.#bytes, 1, TooManyBodies);
  }

  /** @throws TooManyImports */
  openStream(client: string): BodyShare {
    return new BodyShare(client, this.#streams, this.#bytes, STREAM_WEIGHT, TooManyImports);
  }
}

/** What the body of one request holds: a place among the bodies, and its bytes. */
export class BodyShare implements Holder {
  /** While it is read, another client may need its place. */
  body: RequestBody | undefined;
  readonly #place: Share;
  readonly #largeBytes: Share;
  #bytes = 0;

  constructor(
    readonly client: string,
    places: ClientShares,
    bytes: ClientShares,
    private readonly weight: number,
    private readonly Refusal: new () => Error,
  ) {
    this.#place = places.open(this);
    this.#largeBytes = bytes.open(this);
    if (!this.#place.resize(1)) throw new Refusal();
  }

  /** @param change negative to give bytes back @throws TooManyBodies */
  hold(change: number): void {
    this.#bytes += change * this.weight;
    if (this.#largeBytes.resize(Math.max(0, this.#bytes - SMALL_BYTES))) return;
    // At once, so that not all bodies are refused when all of them need more at the same time.
    this.release();
    throw new TooManyBodies();
  }

  lagMs(bytesPerSecond: number): number {
    return this.body?.lagMs(bytesPerSecond) ?? 0;
  }

  end(): void {
    this.release();
    this.body?.destroy(new this.Refusal());
  }

  release(): void {
    this.#place.release();
    this.#largeBytes.release();
  }
}
