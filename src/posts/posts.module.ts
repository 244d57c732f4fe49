import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { PostDeletionsController } from './deletions/post-deletions.controller.js';
import { PostDeletionsService } from './deletions/post-deletions.service.js';
import { PostFinders } from './lists/post-finders.js';
import { PostListsService } from './lists/post-lists.service.js';
import { PostPagesRepository } from './lists/post-pages.repository.js';
import { PostSnapshots } from './lists/post-snapshots.js';
import { OverviewService } from './overview/overview.service.js';
import { PostCollection, PostCounter, PostDeletion } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostsController } from './posts.controller.js';
import { PostsStateRepository } from './posts-state.repository.js';
import { PostsService } from './posts.service.js';
import { PostListeners } from './writes/post-changes.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';
import { TakenValuesRepository } from './writes/taken-values.repository.js';

const PROVIDERS = [
  PostListeners,
  PostsStateRepository,
  PostDeletionsService,
  PostSnapshots,
  PostPagesRepository,
  PostFinders,
  PostWritesRepository,
  TakenValuesRepository,
  PostsService,
  PostListsService,
  OverviewService,
];

@Module({
  imports: [TypeOrmModule.forFeature([Post, PostCollection, PostCounter, PostDeletion]), IdempotencyModule],
  controllers: [PostsController, PostDeletionsController],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class PostsModule {}
