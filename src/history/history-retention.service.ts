import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { toPubDate } from '../posts/pub-date.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { ExpiredHistoryRepository } from './expired-history.repository.js';

const MS_PER_DAY = 86_400_000;
const INTERVAL_MS = 3_600_000;
/** Few enough that no request waits noticeably for their transaction. */
const BATCH_ROWS = 200;

/** Forgets, behind the running service, what the history has kept for as long as HISTORY_DAYS says. */
@Injectable()
export class HistoryRetention implements OnApplicationBootstrap, OnModuleDestroy {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** What is up to here was looked at. */
  #after = 0;

  constructor(
    private readonly history: ExpiredHistoryRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.historyDays === 0) return;
    const run = (): void => void this.#tryToForget();
    this.#timer = setInterval(run, INTERVAL_MS);
    this.#timer.unref();
    run();
  }

  onModuleDestroy(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  /** @param now the end of the time for which the history is kept, by the clock of `Date` */
  async forgetExpired(now = Date.now()): Promise<void> {
    const deadline = toPubDate(now - this.settings.historyDays * MS_PER_DAY);
    for (let isMore = true; isMore && !this.#isStopped;) {
      const progress = await this.history.forget(deadline, this.#after, BATCH_ROWS);
      this.#after = progress.after;
      isMore = progress.isMore;
    }
  }

  async #tryToForget(): Promise<void> {
    try {
      await this.forgetExpired();
    } catch (error) {
      if (this.#isStopped) return;
      this.logger.warn({ err: error }, 'The oldest history could not be removed; it is tried again.');
    }
  }
}
