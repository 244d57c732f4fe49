/** The line of work that is done for no client. */
const NO_CLIENT = '';

/**
 * Time of the event loop that all work of one kind shares, however many requests ask for it: in each turn of the loop, the
 * pieces that fit into it, and at least one. So requests that arrive together do not hold the loop together.
 *
 * Work that has to wait stands in a line for each client, and the clients take turns.
 */
export class SharedTime {
  #usedMs = 0;
  #isEndScheduled = false;
  /** The first client is the next to go on. */
  readonly #lines = new Map<string, (() => void)[]>();

  /** @param turnMs the time in one turn of the event loop */
  constructor(private readonly turnMs: number) {}

  /**
   * Runs a piece of work, which should take a few milliseconds at most, when there is time.
   *
   * @param client for whom it is done
   * @throws what it throws
   */
  async run<Result>(work: () => Result, client = NO_CLIENT): Promise<Result> {
    if (this.#usedMs >= this.turnMs || this.#lines.size > 0) await this.#waitInLine(client);
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#usedMs += performance.now() - startedAt;
      if (!this.#isEndScheduled) setImmediate(this.#endTurn);
      this.#isEndScheduled = true;
      this.#next();
    }
  }

  #waitInLine(client: string): Promise<void> {
    return new Promise((goOn) => {
      const line = this.#lines.get(client);
      if (line) line.push(goOn);
      else this.#lines.set(client, [goOn]);
    });
  }

  /** Lets the next piece go on, if there is time left. It lets the one after it go on at its end. */
  #next(): void {
    if (this.#usedMs >= this.turnMs) return;
    for (const [client, line] of this.#lines) {
      const goOn = line.shift()!;
      // At the end of the clients.
      this.#lines.delete(client);
      if (line.length > 0) this.#lines.set(client, line);
      goOn();
      return;
    }
  }

  readonly #endTurn = (): void => {
    this.#usedMs = 0;
    this.#isEndScheduled = false;
    this.#next();
  };
}
