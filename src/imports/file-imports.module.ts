import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { PostListenersModule } from '../posts/writes/post-listeners.js';
import { HistoryModule } from '../history/history.module.js';
import { SearchModule } from '../search/search.module.js';
import { FileImportsService } from './file-imports.service.js';
import { ImportUndoService } from './import-undo.service.js';
import { ImportsModule } from './imports.module.js';
import { LoggedImportsRepository } from './logged-imports.repository.js';

/** Imports of the administration site. */
@Module({
  imports: [PostsModule, PostListenersModule, HistoryModule, SearchModule, ImportsModule],
  providers: [FileImportsService, ImportUndoService, LoggedImportsRepository],
  exports: [FileImportsService, ImportUndoService],
})
export class FileImportsModule {}
