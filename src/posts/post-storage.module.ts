import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostPagesModule } from './lists/post-pages.module.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import { PostListenersModule } from './writes/post-listeners.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';

/** The posts in the database, for posts and imports. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Post, PostCollection, PostCounter]),
    PostListenersModule,
    PostPagesModule,
  ],
  providers: [PostsRepository, PostWritesRepository],
  exports: [PostsRepository, PostWritesRepository],
})
export class PostStorageModule {}
