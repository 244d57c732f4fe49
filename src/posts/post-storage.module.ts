import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostDeletion } from './deletions/post-deletion.entity.js';
import { PostDeletionsRepository } from './deletions/post-deletions.repository.js';
import { PostPagesRepository } from './lists/post-pages.repository.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostListeners } from './writes/post-listeners.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';
import { StagedIds } from './writes/staged-ids.js';

const PROVIDERS = [
  StagedIds,
  PostListeners,
  PostPagesRepository,
  PostWritesRepository,
  PostDeletionsRepository,
];

/** The posts in the database, for the rooms that listen to their changes: it needs no other room. */
@Module({
  imports: [TypeOrmModule.forFeature([Post, PostCollection, PostCounter, PostDeletion])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class PostStorageModule {}
