import { Module } from '@nestjs/common';
import { SearchIndexRepository } from './search-index.repository.js';
import { SearchIndexService } from './search-index.service.js';

/** The index of the words of all posts. */
@Module({
  providers: [SearchIndexRepository, SearchIndexService],
  exports: [SearchIndexRepository],
})
export class SearchModule {}
