import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { SearchIndexRepository } from './search-index.repository.js';

/** Rebuilds an outdated index in the background. Until then, searches may miss older posts. */
@Injectable()
export class SearchRebuild implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #stop = new AbortController();
  #rebuilding: Promise<void> | undefined;
  #isBuilding = false;

  constructor(
    private readonly index: SearchIndexRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.add({
      name: 'posts_search_index_building',
      help: '1 until the search index is complete: meanwhile, searches may miss posts.',
      type: 'gauge',
      value: () => Number(this.#isBuilding),
    });
  }

  onApplicationBootstrap(): void {
    if (this.index.wasCurrent) return;
    this.logger.warn('The search index is missing or older than this version; it is being rebuilt.');
    this.#isBuilding = true;
    this.#rebuilding = this.#rebuild();
  }

  async #rebuild(): Promise<void> {
    try {
      await this.index.rebuild(undefined, this.#stop.signal);
      this.#isBuilding = false;
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
