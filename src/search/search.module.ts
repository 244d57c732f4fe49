import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { SearchIndexRepository } from './search-index.repository.js';

/** The index of the words of all posts. */
@Module({
  providers: [SearchIndexRepository],
  exports: [SearchIndexRepository],
})
export class SearchModule implements OnApplicationBootstrap {
  constructor(
    private readonly index: SearchIndexRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rebuilds an outdated index in the background. Until then, searches may miss older posts. */
  async onApplicationBootstrap(): Promise<void> {
    if (await this.index.isCurrent()) return;
    this.logger.warn('The search index is missing or older than this version; it is being rebuilt.');
    this.index
      .rebuild(() => undefined)
      .then(
        () => this.logger.info('The search index is complete.'),
        (error: unknown) =>
          this.logger.error(
            { err: error },
            'The search index could not be completed; the next start continues.',
          ),
      );
  }
}
