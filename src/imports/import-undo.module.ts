import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { ImportUndoService } from './import-undo.service.js';
import { ImportsModule } from './imports.module.js';

/** Apart from the imports themselves, on which the posts depend. */
@Module({
  imports: [PostsModule, ImportsModule],
  providers: [ImportUndoService],
  exports: [ImportUndoService],
})
export class ImportUndoModule {}
