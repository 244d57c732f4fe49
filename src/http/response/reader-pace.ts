/** How slowly a response may be read on average, once there was time to begin. */
const MIN_BYTES_PER_SECOND = 4_096;
const SLOW_START_MS = 60_000;

/** Readers below this rate are ended as soon as another response waits for what they hold: 256 kbit/s. */
export const SLOW_BYTES_PER_SECOND = 32_768;
/** The same for readers of a client that holds more than its fair share. */
export const MODEST_BYTES_PER_SECOND = 1_048_576;
/** A pause of this length is not held against a reader. */
const GRACE_MS = 1_000;

/** By how many milliseconds a reader is behind a rate; negative while it is ahead. Earlier speed counts for no more than the grace. */
class Lag {
  #ms = -GRACE_MS;

  constructor(readonly bytesPerSecond: number) {}

  get ms(): number {
    return this.#ms;
  }

  addPiece(bytes: number): void {
    this.#ms = Math.max(this.#ms, -GRACE_MS) - (bytes / this.bytesPerSecond) * 1_000;
  }

  addWait(ms: number): void {
    this.#ms += ms;
  }
}

/** Measures how fast the client of a response reads it. The time that it takes to make the response is not the client's. */
export class ReaderPace {
  #allowedMs = SLOW_START_MS;
  #waitingSince: number | undefined;
  readonly #lags = [new Lag(SLOW_BYTES_PER_SECOND), new Lag(MODEST_BYTES_PER_SECOND)];

  /**
   * Passes pieces on, and reports a client that reads them too slowly on average: what they are made from, such as a
   * snapshot of the database, must not be held for days.
   *
   * @param onTooSlow called once, while the client has yet to take a piece
   */
  async *measure(
    pieces: AsyncIterable<Buffer>,
    onTooSlow: () => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of pieces) {
      this.#allowedMs += (piece.length / MIN_BYTES_PER_SECOND) * 1_000;
      for (const lag of this.#lags) lag.addPiece(piece.length);
      this.#waitingSince = performance.now();
      const timer = setTimeout(onTooSlow, this.#allowedMs);
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
        const waitedMs = this.#waitedMs();
        this.#allowedMs -= waitedMs;
        for (const lag of this.#lags) lag.addWait(waitedMs);
        this.#waitingSince = undefined;
      }
    }
  }

  /** By how many milliseconds the reader is behind one of the rates above. It grows with the time and with the slowness. */
  lagMs(bytesPerSecond: number): number {
    return this.#lags.find((lag) => lag.bytesPerSecond === bytesPerSecond)!.ms + this.#waitedMs();
  }

  #waitedMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
  }
}
