import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostStorageModule } from '../posts/post-storage.module.js';
import { AuditService } from './audit.service.js';
import { ChangesRepository } from './changes.repository.js';
import { DeletedPostsRepository } from './deleted-posts.repository.js';
import { ExpiredHistoryRepository } from './expired-history.repository.js';
import { HistoryRetention } from './history-retention.service.js';
import { HistoryService } from './history.service.js';
import { PostHistoryRepository } from './post-history.repository.js';
import { PostRevision } from './post-revision.entity.js';
import { RevisionsRepository } from './revisions.repository.js';

/** Keeps the old contents of posts, and the author and the time of each change. */
@Module({
  imports: [TypeOrmModule.forFeature([PostRevision]), PostStorageModule],
  providers: [
    PostHistoryRepository,
    AuditService,
    RevisionsRepository,
    ChangesRepository,
    DeletedPostsRepository,
    ExpiredHistoryRepository,
    HistoryService,
    HistoryRetention,
  ],
  exports: [HistoryService, AuditService, PostHistoryRepository, ChangesRepository, DeletedPostsRepository],
})
export class HistoryModule {}
