import { Global, Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { PostImports } from '../posts/post-imports.js';
import { PostStorageModule } from '../posts/post-storage.module.js';
import { PostPagesModule } from '../posts/lists/post-pages.module.js';
import { PostListenersModule } from '../posts/writes/post-listeners.js';
import { SearchModule } from '../search/search.module.js';
import { ImportEngine } from './import-engine.js';
import { ImportsService } from './imports.service.js';
import { LoggedImportsRepository } from './logged-imports.repository.js';
import { StagedPostsRepository } from './staged-posts.repository.js';

/** Global, because posts use the imports without knowing them. */
@Global()
@Module({
  imports: [PostStorageModule, PostPagesModule, PostListenersModule, HistoryModule, SearchModule],
  providers: [
    StagedPostsRepository,
    ImportEngine,
    ImportsService,
    LoggedImportsRepository,
    { provide: PostImports, useExisting: ImportsService },
  ],
  exports: [ImportsService, LoggedImportsRepository, PostImports],
})
export class ImportsModule {}
