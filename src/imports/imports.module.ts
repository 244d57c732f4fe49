import { Global, Module } from '@nestjs/common';
import { BulkChangesModule } from '../bulk-changes/bulk-changes.module.js';
import { HistoryModule } from '../history/history.module.js';
import { PostImports } from '../posts/post-imports.js';
import { PostsModule } from '../posts/posts.module.js';
import { SearchModule } from '../search/search.module.js';
import { ImportEngine } from './import-engine.js';
import { ImportUndoService } from './import-undo.service.js';
import { ImportsService } from './imports.service.js';
import { LoggedImportsRepository } from './logged-imports.repository.js';
import { StagedPostsRepository } from './staged-posts.repository.js';

/** Global, because posts use the imports without knowing them. */
@Global()
@Module({
  imports: [PostsModule, BulkChangesModule, HistoryModule, SearchModule],
  providers: [
    StagedPostsRepository,
    ImportEngine,
    ImportsService,
    ImportUndoService,
    LoggedImportsRepository,
    { provide: PostImports, useExisting: ImportsService },
  ],
  exports: [ImportsService, ImportUndoService, PostImports],
})
export class ImportsModule {}
