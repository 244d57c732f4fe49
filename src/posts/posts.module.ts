import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeysModule } from '../idempotency-keys/idempotency-keys.module.js';
import { POST_COMPANIONS } from './post-change.js';
import { Post } from './post.entity.js';
import { PostCreations } from './post-creations.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Post]), IdempotencyKeysModule],
  controllers: [PostsController],
  providers: [PostsService, PostCreations, PostsRepository, { provide: POST_COMPANIONS, useValue: [] }],
  exports: [PostsService],
})
export class PostsModule {}
