import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { BackgroundRemoval } from '../database/background-removal.js';
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
  readonly #removal: BackgroundRemoval;

  constructor(
    private readonly history: ExpiredHistoryRepository,
    private readonly deletions: PostDeletionsRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#removal = new BackgroundRemoval(
      (now) => this.#forgetSome(now),
      (err) =>
        logger.warn({ err }, 'The oldest history could not be removed; the service tries again later.'),
    );
  }

  onApplicationBootstrap(): void {
    if (this.settings.historyDays === 0) return;
    this.#removal.start(INTERVAL_MS);
    this.#removal.runAndReport();
  }

  onModuleDestroy(): Promise<void> {
    return this.#removal.stop();
  }

  /** @param now the current time, in milliseconds since 1970 */
  forgetExpired(now: number): Promise<void> {
    return this.#removal.run(now);
  }

  async #forgetSome(now: number): Promise<boolean> {
    const deadline = toPubDate(now - this.settings.historyDays * MS_PER_DAY);
    return (await this.history.forget(deadline, BATCH_ROWS)) || this.deletions.forget(deadline, BATCH_ROWS);
  }
}
