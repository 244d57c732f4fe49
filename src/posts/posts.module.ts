import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeysModule } from '../idempotency-keys/idempotency-keys.module.js';
import { HiddenImportsRepository } from './import/hidden-imports.repository.js';
import { ImportsRepository } from './import/imports.repository.js';
import { ImportsService } from './import/imports.service.js';
import { HiddenIds } from './hidden-ids.js';
import { LargeBodies } from './large-bodies.js';
import { POST_COMPANIONS, type PostCompanion } from './post-change.js';
import { Post } from './post.entity.js';
import { PostCreations } from './post-creations.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { SearchIndexRepository } from './search/search-index.repository.js';
import { SearchIndexService } from './search/search-index.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Post]), IdempotencyKeysModule],
  controllers: [PostsController],
  providers: [
    PostsService,
    PostCreations,
    PostsRepository,
    LargeBodies,
    SearchIndexRepository,
    SearchIndexService,
    HiddenIds,
    HiddenImportsRepository,
    ImportsRepository,
    ImportsService,
    {
      provide: POST_COMPANIONS,
      inject: [SearchIndexRepository],
      useFactory: (...companions: PostCompanion[]) => companions,
    },
  ],
  exports: [PostsService],
})
export class PostsModule {}
