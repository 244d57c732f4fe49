import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { BulkChangesService } from './bulk-changes.service.js';

@Module({
  imports: [PostsModule, HistoryModule],
  providers: [BulkChangesService],
  exports: [BulkChangesService],
})
export class BulkChangesModule {}
