import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostDeletionsController } from './deletions/post-deletions.controller.js';
import { PostListsService } from './lists/post-lists.service.js';
import { PostPagesRepository } from './lists/post-pages.repository.js';
import { OverviewService } from './overview/overview.service.js';
import { PostStorageModule } from './post-storage.module.js';
import { PostsController } from './posts.controller.js';
import { PostsService } from './posts.service.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';

const PROVIDERS = [
  PostPagesRepository,
  PostWritesRepository,
  PostsService,
  PostListsService,
  OverviewService,
];

@Module({
  imports: [PostStorageModule, IdempotencyModule],
  controllers: [PostsController, PostDeletionsController],
  providers: PROVIDERS,
  exports: [PostStorageModule, ...PROVIDERS],
})
export class PostsModule {}
