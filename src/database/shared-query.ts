/** Runs one query for all concurrent callers. Each caller gets the result of a query that started after its call. */
export class SharedQuery<Result> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Result> | undefined;

  constructor(private readonly query: () => Promise<Result>) {}

  /** The running query may already have a result from before this call, so the call waits for the next one. */
  ask(): Promise<Result> {
    const start = (): Promise<Result> => {
      this.#next = undefined;
      const result = this.query();
      this.#running = result;
      return result;
    };
    return (this.#next ??= this.#running.then(start, start));
  }
}
