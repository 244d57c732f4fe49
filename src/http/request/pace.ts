/** Clients below this rate (256 kbit/s) lose what they hold as soon as another client needs it. */
export const SLOW_BYTES_PER_SECOND = 32_768;
/** Clients that hold more than an equal part lose it below this rate (8 Mbit/s) when another client needs it. */
export const LARGE_HOLDER_BYTES_PER_SECOND = 1_048_576;

/** The longest time of a timer in Node, which takes longer ones for 1 ms: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The time before the minimum rate counts. */
const SLOW_START_MS = 60_000;

/** How fast a client sends a body, or reads one. Only the time counts in which the service waits for the client. */
export class Pace {
  #leftMs = SLOW_START_MS;
  #waitingSince: number | undefined;
  /** How far the client is behind each rate, in milliseconds. Its credit is at most the grace period. */
  readonly #lags: Map<number, number>;

  /** @param graceMs the length of a pause that does not count */
  constructor(
    private readonly minBytesPerSecond: number,
    private readonly graceMs: number,
  ) {
    this.#lags = new Map([
      [SLOW_BYTES_PER_SECOND, -graceMs],
      [LARGE_HOLDER_BYTES_PER_SECOND, -graceMs],
    ]);
  }

  get isWaiting(): boolean {
    return this.#waitingSince !== undefined;
  }

  /** How long the client may do nothing until its average is below the minimum rate; negative when it is. */
  get leftMs(): number {
    return this.#leftMs - this.#waitedMs();
  }

  /** How far the client is behind one of the rates above, in milliseconds; negative while it is ahead. */
  lagMs(bytesPerSecond: number): number {
    return this.#lags.get(bytesPerSecond)! + this.#waitedMs();
  }

  /** The service waits for the client from here on. */
  start(): void {
    this.#waitingSince ??= performance.now();
  }

  stop(): void {
    const waitedMs = this.#waitedMs();
    this.#leftMs -= waitedMs;
    for (const [rate, ms] of this.#lags) this.#lags.set(rate, ms + waitedMs);
    this.#waitingSince = undefined;
  }

  /** Counts bytes of the client. */
  add(bytes: number): void {
    this.#leftMs += (bytes / this.minBytesPerSecond) * 1_000;
    for (const [rate, ms] of this.#lags) {
      this.#lags.set(rate, Math.max(ms, -this.graceMs) - (bytes / rate) * 1_000);
    }
  }

  /**
   * Passes pieces on to a reader. The time to make a piece does not count.
   *
   * @param onTooSlow called once, while the client has not yet taken a piece: the source of the pieces, such as a
   *   snapshot of the database, must not be held for days
   */
  async *measure(
    pieces: AsyncIterable<Buffer>,
    onTooSlow: () => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of pieces) {
      this.add(piece.length);
      this.start();
      const timer = setTimeout(onTooSlow, Math.min(this.leftMs, MAX_TIMER_MS));
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
        this.stop();
      }
    }
  }

  #waitedMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
  }
}
