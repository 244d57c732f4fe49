import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { raw, type Sql, sql } from '../../database/sql.js';
import { VersionedRows } from '../../database/versioned-rows.js';
import { LARGE_BODY_BYTES } from '../lists/post-pages.repository.js';
import { Post } from '../post.entity.js';
import { type PostChange, PostListeners } from './post-changes.js';

/**
 * The time of a change that is made now, as SQL. It never precedes the time of an earlier change, even if the clock was
 * set back. Times come from the database's clock, which all instances share, and have milliseconds.
 */
const changeTime = (clock: string): Sql =>
  raw(
    `(SELECT max(time) FROM (SELECT ${clock} AS time UNION ALL SELECT modified FROM posts_counters) AS times)`,
  );

/**
 * Reads and changes single posts. Posts change only here, so that the listeners are notified of every change. Deleted
 * posts are restored under their ids, with versions that they never had before.
 */
@Injectable()
export class PostWritesRepository extends VersionedRows<Post, PostChange> {
  constructor(database: Database, listeners: PostListeners) {
    super(database, {
      entity: Post,
      computed: { modified: changeTime(database.dialect.changeClock) },
      // The length is stored before the text, so a large text is not read.
      isSmall: sql`octet_length(posts.body) <= ${raw(String(LARGE_BODY_BYTES))}`,
      listeners: listeners.all,
    });
  }
}
