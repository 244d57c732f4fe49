/** Runs one query for all concurrent callers. Each caller gets the result of a query that started after its call. */
export class SharedQuery<Result> {
  #running: Promise<Result> | undefined;
  #next: Promise<Result> | undefined;

  constructor(private readonly query: () => Promise<Result>) {}

  ask(): Promise<Result> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#start();
    // The running query may already have a result from before this call.
    const start = (): Promise<Result> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<Result> {
    const running = this.query().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
