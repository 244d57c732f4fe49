import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { PostDeletionsRepository } from '../posts/deletions/post-deletions.repository.js';
import { toPubDate } from '../posts/pub-date.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { ExpiredHistoryRepository } from './expired-history.repository.js';

const MS_PER_DAY = 86_400_000;
const INTERVAL_MS = 3_600_000;
/** Small enough that no request waits noticeably for the transaction. */
const BATCH_ROWS = 200;

/** Removes history that is older than HISTORY_DAYS, in the background. */
@Injectable()
export class HistoryRetention implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** Rows up to this id have been examined. */
  #after = 0;

  constructor(
    private readonly history: ExpiredHistoryRepository,
    private readonly deletions: PostDeletionsRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.historyDays === 0) return;
    const run = (): void => void (this.#running = this.#tryToForget());
    this.#timer = setInterval(run, INTERVAL_MS);
    this.#timer.unref();
    run();
  }

  /** The removal must end before the database closes. */
  async onModuleDestroy(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** @param now the current time, in milliseconds since 1970 */
  async forgetExpired(now = Date.now()): Promise<void> {
    const deadline = toPubDate(now - this.settings.historyDays * MS_PER_DAY);
    for (let isMore = true; isMore && !this.#isStopped;) {
      const progress = await this.history.forget(deadline, this.#after, BATCH_ROWS);
      this.#after = progress.after;
      isMore = progress.isMore;
    }
    for (let isMore = true; isMore && !this.#isStopped;)
      isMore = await this.deletions.forget(deadline, BATCH_ROWS);
  }

  async #tryToForget(): Promise<void> {
    try {
      await this.forgetExpired();
    } catch (error) {
      if (this.#isStopped) return;
      this.logger.warn(
        { err: error },
        'The oldest history could not be removed; the service tries again later.',
      );
    }
  }
}
