import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangesRepository } from './changes.repository.js';
import { DeletedPostsRepository } from './deleted-posts.repository.js';
import { ExpiredHistoryRepository } from './expired-history.repository.js';
import { HistoryRetention } from './history-retention.service.js';
import { HistoryService } from './history.service.js';
import { PostHistoryRepository } from './post-history.repository.js';
import { PostRevision } from './post-revision.entity.js';
import { RevisionsRepository } from './revisions.repository.js';

/** What posts were, who changed them and when. */
@Module({
  imports: [TypeOrmModule.forFeature([PostRevision])],
  providers: [
    PostHistoryRepository,
    RevisionsRepository,
    ChangesRepository,
    DeletedPostsRepository,
    ExpiredHistoryRepository,
    HistoryService,
    HistoryRetention,
  ],
  exports: [HistoryService, PostHistoryRepository, DeletedPostsRepository],
})
export class HistoryModule {}
