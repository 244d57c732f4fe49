import { Module } from '@nestjs/common';
import { PostListenersModule } from '../posts/writes/post-listeners.js';
import { PostPagesModule } from '../posts/lists/post-pages.module.js';
import { ImportEngine } from './import-engine.js';
import { ImportsService } from './imports.service.js';
import { SearchModule } from '../search/search.module.js';
import { StagedPostsRepository } from './staged-posts.repository.js';

@Module({
  imports: [PostListenersModule, PostPagesModule, SearchModule],
  providers: [StagedPostsRepository, ImportEngine, ImportsService],
  exports: [ImportEngine, ImportsService],
})
export class ImportsModule {}
