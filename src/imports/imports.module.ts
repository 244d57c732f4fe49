import { Module } from '@nestjs/common';
import { PostListenersModule } from '../posts/writes/post-listeners.js';
import { StagedIds } from '../posts/writes/staged-ids.js';
import { ImportEngine } from './import-engine.js';
import { ImportsService } from './imports.service.js';
import { SearchModule } from '../search/search.module.js';
import { StagedPostsRepository } from './staged-posts.repository.js';

@Module({
  imports: [PostListenersModule, SearchModule],
  providers: [StagedIds, StagedPostsRepository, ImportEngine, ImportsService],
  exports: [StagedIds, ImportEngine, ImportsService],
})
export class ImportsModule {}
