import { TooManyBodies, TooManyImports } from '../../problem-details/problems.js';
import { ClientShares, type Share } from './client-shares.js';

/** The maximum number of concurrent requests with a body. */
const BODIES = { total: 1_024, perClient: 512 };

/** The maximum number of concurrent imports. Each uses the event loop, a file and a thread for decompression. */
const STREAMS = { total: 16, perClient: 4 };

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
  readonly #bodies = new ClientShares(BODIES.total, BODIES.perClient);
  readonly #streams = new ClientShares(STREAMS.total, STREAMS.perClient);
  readonly #bytes: ClientShares;

  constructor(maxBodyBytes: number) {
    const total = Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES);
    this.#bytes = new ClientShares(total, total / 2);
  }

  /** The bytes that count: those of small bodies do not. */
  get heldBytes(): number {
    return this.#bytes.held;
  }

  /** @throws TooManyBodies */
  openBody(client: string): BodyShare {
    return this.#open(this.#bodies, client, 1, TooManyBodies);
  }

  /** @throws TooManyImports */
  openStream(client: string): BodyShare {
    return this.#open(this.#streams, client, STREAM_WEIGHT, TooManyImports);
  }

  #open(places: ClientShares, client: string, weight: number, Refusal: new () => Error): BodyShare {
    const place = places.open(client);
    if (!place.resize(1)) throw new Refusal();
    return new BodyShare(place, this.#bytes.open(client), weight, Refusal);
  }
}

/** What the body of one request holds: a place among the bodies, and its bytes. */
export class BodyShare {
  #bytes = 0;

  constructor(
    private readonly place: Share,
    private readonly largeBytes: Share,
    private readonly weight: number,
    private readonly Refusal: new () => Error,
  ) {}

  /** @param change negative to give bytes back @throws TooManyBodies */
  hold(change: number): void {
    this.#bytes += change * this.weight;
    if (this.largeBytes.resize(Math.max(0, this.#bytes - SMALL_BYTES))) return;
    // At once, so that not all bodies are refused when all of them need more at the same time.
    this.release();
    throw new TooManyBodies();
  }

  /**
   * Lets the share end while its body is read, when another client needs it.
   *
   * @param end undefined when the share no longer depends on the pace of its client
   */
  mayEnd(end: ((reason: Error) => void) | undefined): void {
    const endAll =
      end &&
      (() => {
        this.release();
        end(new this.Refusal());
      });
    this.place.end = endAll;
    this.largeBytes.end = endAll;
  }

  release(): void {
    this.place.release();
    this.largeBytes.release();
  }
}
