/** Asks a question once for all who wait for a response that is no older than their own asking. */
export class SharedQuery<ApiResponse> {
  #running: Promise<ApiResponse> | undefined;
  #next: Promise<ApiResponse> | undefined;

  constructor(private readonly query: () => Promise<ApiResponse>) {}

  ask(): Promise<ApiResponse> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#start();
    // What is on its way may be answered already, with what was true before it was asked here.
    const start = (): Promise<ApiResponse> => {
      this.#next = undefined;
      return this.#start();
    };
    this.#next = this.#running.then(start, start);
    return this.#next;
  }

  #start(): Promise<ApiResponse> {
    const running = this.query().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
