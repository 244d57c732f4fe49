import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostDeletion } from './deletions/post-deletion.entity.js';
import { PostDeletionsService } from './deletions/post-deletions.service.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import { PostListeners } from './writes/post-listeners.js';

const PROVIDERS = [PostListeners, PostsRepository, PostDeletionsService];

/** What the history needs of the posts. It needs no other room, so that the command `account` runs without them. */
@Module({
  imports: [TypeOrmModule.forFeature([Post, PostCollection, PostCounter, PostDeletion])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class PostStorageModule {}
