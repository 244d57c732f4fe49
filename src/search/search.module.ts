import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { SearchIndexRepository } from './search-index.repository.js';
import { SearchPages } from './search-pages.js';

/** The index of the words of all posts. Posts use it without knowing it: it listens to their changes, and is a finder. */
@Module({
  imports: [PostsModule],
  providers: [SearchIndexRepository, SearchPages],
  exports: [SearchIndexRepository],
})
export class SearchModule {}
