import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { SearchIndexRepository } from './search-index.repository.js';

/** Rebuilds an outdated index in the background. Until then, searches may miss older posts. */
@Injectable()
export class SearchRebuild implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly index: SearchIndexRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (await this.index.isCurrent()) return;
    this.logger.warn('The search index is missing or older than this version; it is being rebuilt.');
    void this.#rebuild();
  }

  async #rebuild(): Promise<void> {
    try {
      const isComplete = await this.index.rebuild();
      if (isComplete) this.logger.info('The search index is complete.');
    } catch (err) {
      this.logger.error({ err }, 'The search index could not be completed; the next start rebuilds it.');
    }
  }

  /** A rebuild must end before the database closes. The next start begins again. */
  onModuleDestroy(): Promise<void> {
    return this.index.stopRebuild();
  }
}
