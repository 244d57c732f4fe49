/**
 * Removes old rows in the background, in many small transactions, so that no request waits noticeably for one. A fault is
 * reported, and the next run tries again.
 */
export class BackgroundRemoval {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param removeSome removes some rows that are old `now`, and returns whether more may follow */
  constructor(
    private readonly removeSome: (now: number) => Promise<boolean>,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /** Removes old rows at each interval. */
  start(intervalMs: number): void {
    this.#timer = setInterval(() => this.runAndReport(), intervalMs).unref();
  }

  runAndReport(): void {
    this.run().catch((error: unknown) => {
      if (!this.#isStopped) this.onFault(error);
    });
  }

  /** Removes all old rows, unless the service stops. @param now in milliseconds since 1970 */
  run(now = Date.now()): Promise<void> {
    const running = this.#removeAll(now);
    this.#running = running.catch(() => undefined);
    return running;
  }

  /** Resolves after the running transaction. Await it before the database is closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #removeAll(now: number): Promise<void> {
    for (let isMore = true; isMore && !this.#isStopped;) isMore = await this.removeSome(now);
  }
}
