import { Global, Inject, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import { PostSearch } from '../posts/lists/post-search.js';
import { PostsModule } from '../posts/posts.module.js';
import { SearchIndexRepository } from './search-index.repository.js';
import { SearchPages } from './search-pages.js';

/** The index of the words of all posts. It is global, because posts use it without knowing it. */
@Global()
@Module({
  imports: [PostsModule],
  providers: [SearchIndexRepository, { provide: PostSearch, useClass: SearchPages }],
  exports: [SearchIndexRepository, PostSearch],
})
export class SearchModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly index: SearchIndexRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Rebuilds an outdated index in the background. Until then, searches may miss older posts. */
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
