import { Module } from '@nestjs/common';
import { HistoryModule } from '../../history/history.module.js';
import { PostHistoryRepository } from '../../history/post-history.repository.js';
import { SearchIndexRepository } from '../../search/search-index.repository.js';
import { SearchModule } from '../../search/search.module.js';
import { POST_CHANGE_LISTENERS, type PostChangeListener } from './post-change.js';

/** Registers the listeners for changes of posts. A listener that is missing here misses every change. */
@Module({
  imports: [SearchModule, HistoryModule],
  providers: [
    {
      provide: POST_CHANGE_LISTENERS,
      inject: [SearchIndexRepository, PostHistoryRepository],
      useFactory: (...listeners: PostChangeListener[]) => listeners,
    },
  ],
  exports: [POST_CHANGE_LISTENERS, SearchModule, HistoryModule],
})
export class PostChangesModule {}
