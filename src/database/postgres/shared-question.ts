/** Asks a question once for all who wait for an answer that is no older than their own asking. */
export class SharedQuestion<Answer> {
  #running: Promise<Answer> | undefined;
  #next: Promise<Answer> | undefined;

  constructor(private readonly question: () => Promise<Answer>) {}

  ask(): Promise<Answer> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#start();
    // What is on its way may be answered already, with what was true before it was asked here.
    const start = (): Promise<Answer> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<Answer> {
    const running = this.question().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
