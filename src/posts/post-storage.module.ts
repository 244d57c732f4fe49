import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostCollection, PostCounter, PostDeletion } from './post-collection.entity.js';
import { PostDeletionsService } from './deletions/post-deletions.service.js';
import { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import { PostSnapshots } from './lists/post-snapshots.js';
import { PostListeners } from './writes/post-changes.js';

const PROVIDERS = [PostListeners, PostsRepository, PostDeletionsService, PostSnapshots];

/** What the history needs of the posts. It needs no other room, so that the command `account` runs without them. */
@Module({
  imports: [TypeOrmModule.forFeature([Post, PostCollection, PostCounter, PostDeletion])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class PostStorageModule {}
