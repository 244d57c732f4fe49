import { Module } from '@nestjs/common';
import { BulkChangesModule } from '../bulk-changes/bulk-changes.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { ImportUndoService } from './import-undo.service.js';
import { ImportsModule } from './imports.module.js';

/** Undoes imports, with the changes of many posts. */
@Module({
  imports: [PostsModule, BulkChangesModule, ImportsModule],
  providers: [ImportUndoService],
  exports: [ImportUndoService],
})
export class ImportUndoModule {}
