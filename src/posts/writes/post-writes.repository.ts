import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { raw, sql } from '../../database/sql.js';
import { VersionedRows } from '../../database/versioned-rows.js';
import { LARGE_BODY_BYTES } from '../lists/post-pages.repository.js';
import { Post } from '../post.entity.js';
import { changeTime } from './change-time-queries.js';
import { type PostChange, PostListeners } from './post-changes.js';

/**
 * Reads and changes single posts. Posts change only here, so that the listeners are notified of every change. Deleted
 * posts are restored under their ids, with versions that they never had before.
 */
@Injectable()
export class PostWritesRepository extends VersionedRows<Post, PostChange> {
  constructor(database: Database, listeners: PostListeners) {
    super(database, {
      entity: Post,
      computed: { modified: changeTime(database.dialect) },
      // The length is stored before the text, so a large text is not read.
      isSmall: sql`octet_length(posts.body) <= ${raw(String(LARGE_BODY_BYTES))}`,
      onChanges: (transaction, changes) => listeners.onChanges(transaction, changes),
    });
  }
}
