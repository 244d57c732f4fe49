import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeysModule } from '../idempotency-keys/idempotency-keys.module.js';
import { ChangesRepository } from './history/changes.repository.js';
import { DeletedPostsRepository } from './history/deleted-posts.repository.js';
import { DeletedPostsService } from './history/deleted-posts.service.js';
import { ExpiredHistoryRepository } from './history/expired-history.repository.js';
import { HistoryRetention } from './history/history-retention.service.js';
import { HistoryService } from './history/history.service.js';
import { PostHistoryRepository } from './history/post-history.repository.js';
import { PostRevision } from './history/post-revision.entity.js';
import { RevisionsRepository } from './history/revisions.repository.js';
import { HiddenImportsRepository } from './import/hidden-imports.repository.js';
import { BulkDeletionsService } from './bulk/bulk-deletions.service.js';
import { ExcerptsService } from './overview/excerpts.service.js';
import { MonthsService } from './overview/months.service.js';
import { ImportsRepository } from './import/imports.repository.js';
import { ImportChecksService } from './import/import-checks.service.js';
import { ImportsService } from './import/imports.service.js';
import { HiddenIds } from './hidden-ids.js';
import { LargeBodies } from './large-bodies.js';
import { POST_COMPANIONS, type PostCompanion } from './post-change.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostCreations } from './post-creations.js';
import { PostReads } from './post-reads.js';
import { PostSnapshots } from './post-snapshots.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { SearchIndexRepository } from './search/search-index.repository.js';
import { SearchIndexService } from './search/search-index.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Post, PostCollection, PostCounter, PostRevision]),
    IdempotencyKeysModule,
  ],
  controllers: [PostsController],
  providers: [
    PostsService,
    PostCreations,
    PostReads,
    PostsRepository,
    LargeBodies,
    PostSnapshots,
    SearchIndexRepository,
    SearchIndexService,
    PostHistoryRepository,
    RevisionsRepository,
    ChangesRepository,
    HistoryService,
    DeletedPostsRepository,
    DeletedPostsService,
    ExpiredHistoryRepository,
    HistoryRetention,
    BulkDeletionsService,
    ExcerptsService,
    MonthsService,
    HiddenIds,
    HiddenImportsRepository,
    ImportsRepository,
    ImportsService,
    ImportChecksService,
    {
      provide: POST_COMPANIONS,
      inject: [SearchIndexRepository, PostHistoryRepository],
      useFactory: (...companions: PostCompanion[]) => companions,
    },
  ],
  exports: [
    PostsService,
    HistoryService,
    DeletedPostsService,
    BulkDeletionsService,
    ExcerptsService,
    MonthsService,
    ImportChecksService,
  ],
})
export class PostsModule {}
