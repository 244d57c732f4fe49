import { Module } from '@nestjs/common';
import { HistoryModule } from '../history/history.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { BulkActions } from './bulk-actions.js';
import { BulkDeletionsService } from './bulk-deletions.service.js';
import { DeletedPostsService } from './deleted-posts.service.js';

/** Changes many posts, each batch in a transaction of its own. The change log has one entry for all. */
@Module({
  imports: [PostsModule, HistoryModule],
  providers: [BulkActions, BulkDeletionsService, DeletedPostsService],
  exports: [BulkActions, BulkDeletionsService, DeletedPostsService],
})
export class BulkChangesModule {}
