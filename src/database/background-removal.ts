import type { OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';

/**
 * Removes old rows in the background, in many small transactions, so that no request waits noticeably for one. A fault is
 * logged, and the next run tries again.
 */
export abstract class BackgroundRemoval implements OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** @param kind the rows, for the log */
  constructor(
    private readonly kind: string,
    private readonly logger: Logger,
  ) {}

  /** Removes some rows that are old `now`. @returns whether more may follow */
  protected abstract removeSome(now: number): Promise<boolean>;

  protected start(intervalMs: number): void {
    this.#timer = setInterval(() => this.runAndReport(), intervalMs).unref();
  }

  protected runAndReport(): void {
    this.removeOld().catch((err: unknown) => {
      if (!this.#isStopped)
        this.logger.warn({ err }, `${this.kind} could not be removed; the service tries again later.`);
    });
  }

  /** Removes all old rows, unless the service stops. @param now in milliseconds since 1970 */
  removeOld(now = Date.now()): Promise<void> {
    const running = this.#removeAll(now);
    this.#running = running.catch(() => undefined);
    return running;
  }

  /** Resolves after the running transaction, before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #removeAll(now: number): Promise<void> {
    for (let isMore = true; isMore && !this.#isStopped;) isMore = await this.removeSome(now);
  }
}
