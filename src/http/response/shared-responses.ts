import type { ApiResponse } from './api-response.js';

/** To be called as soon as a response is there, or it is clear that there is none to be shared; the first call counts. */
export type Done = (response: ApiResponse | undefined) => void;

/**
 * Answers that several requests ask for at the same time are made once.
 *
 * Nobody is given an older state than by a response of their own: while one is being made, those who ask for the same wait
 * for the next one, which is begun after all of them have asked.
 */
export class SharedResponses<Waiter> {
  /** By the key of a response that is being made: those who have asked since it was begun. */
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(
    /** Has the response made for one who asks. */
    private readonly make: (waiter: Waiter, done: Done) => void,
    /** Gives one who asks a response that was made for another. */
    private readonly give: (waiter: Waiter, response: ApiResponse) => void,
  ) {}

  /** @param key says all that a response may depend on, besides what is stored */
  ask(key: string, waiter: Waiter): void {
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.push(waiter);
    else this.#make(key, waiter, []);
  }

  #make(key: string, first: Waiter, others: Waiter[]): void {
    const waiting: Waiter[] = [];
    this.#waiting.set(key, waiting);
    let isDone = false;
    this.make(first, (response) => {
      if (isDone) return;
      isDone = true;
      this.#waiting.delete(key);
      // Emptied, because what was asked first, and the `Map`, may refer to them for a while; see entry-list.ts.
      const [next, ...more] = waiting.splice(0);
      if (next) this.#make(key, next, more);
      for (const other of others.splice(0)) {
        if (response) this.give(other, response);
        // What cannot be shared, such as a fault or a stream, each finds out for itself.
        else this.make(other, () => {});
      }
    });
  }
}
