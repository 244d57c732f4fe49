import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostDeletionsController } from './deletions/post-deletions.controller.js';
import { PostDeletionsService } from './deletions/post-deletions.service.js';
import { PostListsService } from './lists/post-lists.service.js';
import { PostSnapshots } from './lists/post-snapshots.js';
import { OverviewService } from './overview/overview.service.js';
import { PostStorageModule } from './post-storage.module.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';

@Module({
  imports: [PostStorageModule, IdempotencyModule],
  controllers: [PostsController, PostDeletionsController],
  providers: [
    PostsRepository,
    PostsService,
    PostListsService,
    PostSnapshots,
    OverviewService,
    PostDeletionsService,
  ],
  exports: [
    PostStorageModule,
    PostsRepository,
    PostsService,
    PostListsService,
    PostSnapshots,
    OverviewService,
  ],
})
export class PostsModule {}
