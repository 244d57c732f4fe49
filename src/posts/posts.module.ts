import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostDeletionsController } from './deletions/post-deletions.controller.js';
import { PostDeletionsModule } from './deletions/post-deletions.module.js';
import { PostDeletionsService } from './deletions/post-deletions.service.js';
import { PostListsService } from './lists/post-lists.service.js';
import { PostPagesModule } from './lists/post-pages.module.js';
import { LargeBodies, PostSnapshots } from './lists/post-snapshots.js';
import { OverviewService } from './overview/overview.service.js';
import { PostReads } from './post-reads.js';
import { PostStorageModule } from './post-storage.module.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';
import { PostChanges } from './writes/post-changes.js';
import { PostListenersModule } from './writes/post-listeners.js';

@Module({
  imports: [PostStorageModule, IdempotencyModule, PostDeletionsModule, PostListenersModule, PostPagesModule],
  controllers: [PostsController, PostDeletionsController],
  providers: [
    PostsService,
    PostListsService,
    PostChanges,
    PostReads,
    LargeBodies,
    PostSnapshots,
    OverviewService,
    PostDeletionsService,
  ],
  exports: [PostsService, PostListsService, PostStorageModule, PostSnapshots, OverviewService],
})
export class PostsModule {}
