import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { SearchIndexRepository } from './search-index.repository.js';

/** Rebuilds an outdated index in the background. Until then, searches may miss older posts. */
@Injectable()
export class SearchRebuild implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #stop = new AbortController();
  #rebuilding: Promise<void> | undefined;

  constructor(
    private readonly index: SearchIndexRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (await this.index.isCurrent()) return;
    this.logger.warn('The search index is missing or older than this version; it is being rebuilt.');
    this.index.isBuilding = true;
    this.#rebuilding = this.#rebuild();
  }

  async #rebuild(): Promise<void> {
    try {
      await this.index.rebuild(undefined, this.#stop.signal);
      this.index.isBuilding = false;
      this.logger.info('The search index is complete.');
    } catch (err) {
      if (!this.#stop.signal.aborted)
        this.logger.error({ err }, 'The search index could not be completed; the next start rebuilds it.');
    }
  }

  /** A rebuild must end before the database closes. The next start begins again. */
  async onModuleDestroy(): Promise<void> {
    this.#stop.abort();
    await this.#rebuilding;
  }
}
