import { ClientLines } from './client-lines.js';

/** Runs one piece of work at a time. What waits stands in a line for each client, and the clients take turns. */
export class InTurn {
  readonly #lines = new ClientLines();
  #isRunning = false;

  /**
   * @param client undefined for the service itself
   * @throws what the work throws
   */
  async run<Result>(work: () => Promise<Result>, client = ''): Promise<Result> {
    if (this.#isRunning) await this.#lines.wait(client);
    this.#isRunning = true;
    try {
      return await work();
    } finally {
      // The next one goes on in a microtask; until then, no other may begin.
      this.#isRunning = !this.#lines.isEmpty;
      this.#lines.takeNext();
    }
  }
}
