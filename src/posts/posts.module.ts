import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ImportsModule } from '../imports/imports.module.js';
import { PostListsService } from './lists/post-lists.service.js';
import { LargeBodies, PostSnapshots } from './lists/post-snapshots.js';
import { OverviewService } from './overview/overview.service.js';
import { PostCreations, PostReads } from './post-batches.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { BulkDeletionsService } from './writes/bulk-deletions.service.js';
import { DeletedPostsService } from './writes/deleted-posts.service.js';
import { PostChanges } from './writes/post-changes.js';
import { PostChangesModule } from './writes/post-changes.module.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Post, PostCollection, PostCounter]),
    IdempotencyModule,
    PostChangesModule,
    ImportsModule,
  ],
  controllers: [PostsController],
  providers: [
    PostsService,
    PostListsService,
    PostChanges,
    PostCreations,
    PostReads,
    PostsRepository,
    PostWritesRepository,
    LargeBodies,
    PostSnapshots,
    DeletedPostsService,
    BulkDeletionsService,
    OverviewService,
  ],
  exports: [PostsService, PostListsService, DeletedPostsService, BulkDeletionsService, OverviewService],
})
export class PostsModule {}
