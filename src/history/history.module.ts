import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostsModule } from '../posts/posts.module.js';
import { AuditService } from './audit.service.js';
import { ChangesService } from './changes.service.js';
import { DeletedPostsService } from './deleted-posts.service.js';
import { PostHistoryRepository } from './post-history.repository.js';
import { PostRevision } from './post-revision.entity.js';
import { RevisionsService } from './revisions.service.js';

/** Keeps the old contents of posts, and the author and the time of each change. */
@Module({
  imports: [TypeOrmModule.forFeature([PostRevision]), PostsModule],
  providers: [PostHistoryRepository, AuditService, RevisionsService, ChangesService, DeletedPostsService],
  exports: [RevisionsService, AuditService, ChangesService, DeletedPostsService],
})
export class HistoryModule {}
