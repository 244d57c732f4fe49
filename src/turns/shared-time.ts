import { ClientLines } from './client-lines.js';

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
  readonly #lines = new ClientLines();

  /** @param turnMs the time in one turn of the event loop */
  constructor(private readonly turnMs: number) {}

  /**
   * Runs a piece of work, which should take a few milliseconds at most, when there is time.
   *
   * @param client for whom it is done
   * @throws what it throws
   */
  async run<Result>(work: () => Result, client = NO_CLIENT): Promise<Result> {
    if (this.#usedMs >= this.turnMs || !this.#lines.isEmpty) await this.#lines.wait(client);
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

  /** Lets the next piece go on, if there is time left. It lets the one after it go on at its end. */
  #next(): void {
    if (this.#usedMs < this.turnMs) this.#lines.takeNext();
  }

  readonly #endTurn = (): void => {
    this.#usedMs = 0;
    this.#isEndScheduled = false;
    this.#next();
  };
}
