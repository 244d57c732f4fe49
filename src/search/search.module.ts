import { Global, Module } from '@nestjs/common';
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
export class SearchModule {}
