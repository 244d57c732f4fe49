/** What a slice of work may take: others wait for it. */
const SLICE_MS = 5;

/**
 * Lets work of several requests that would hold the event loop take turns: one of them in each round of the loop, for a
 * few milliseconds, however many there are.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #endsAt = 0;

  /** Waits for a turn. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#grant);
    });
  }

  /** Whether the turn at hand has taken its time. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  readonly #grant = (): void => {
    this.#endsAt = performance.now() + SLICE_MS;
    this.#waiting.shift()!();
    // An immediate that is set by an immediate runs in the next round.
    if (this.#waiting.length > 0) setImmediate(this.#grant);
  };
}
