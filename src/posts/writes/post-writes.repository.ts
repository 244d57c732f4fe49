import { Injectable } from '@nestjs/common';
import { Database, VersionedRows } from '../../database/index.js';
import type { Post } from '../post.entity.js';
import { postStatements } from '../posts.sql.js';
import { type PostChange, PostListeners, type SentPost } from './post-changes.js';

/**
 * Reads and changes single posts. Posts change only here, so that the listeners are notified of every change. Deleted
 * posts are restored under their ids, with versions that they never had before.
 */
@Injectable()
export class PostWritesRepository extends VersionedRows<Post, PostChange, SentPost> {
  constructor(database: Database, listeners: PostListeners) {
    super(database, {
      table: 'posts',
      statements: postStatements(database.dialect),
      listeners: listeners.all,
    });
  }
}
