/**
 * Time of the event loop that all work of one kind shares, however many requests ask for it: in each turn of the loop, the
 * pieces that fit into it, and at least one. So requests that arrive together do not hold the loop together.
 */
export class SharedTime {
  #usedMs = 0;
  #isEndScheduled = false;
  #waiting: (() => void)[] = [];

  /** @param turnMs the time in one turn of the event loop */
  constructor(private readonly turnMs: number) {}

  /** Runs a piece of work, which should take a few milliseconds at most, when there is time. @throws what it throws */
  async run<Result>(work: () => Result): Promise<Result> {
    while (this.#usedMs >= this.turnMs) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#usedMs += performance.now() - startedAt;
      if (!this.#isEndScheduled) setImmediate(this.#endTurn);
      this.#isEndScheduled = true;
    }
  }

  readonly #endTurn = (): void => {
    this.#usedMs = 0;
    this.#isEndScheduled = false;
    // Those for whom the time does not suffice wait again, in their order.
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  };
}
