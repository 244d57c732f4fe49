import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { UNKNOWN_TIME } from './post.entity.js';

/** The state of the whole collection. The table has one row, which its migration creates. */
@Entity('posts_state')
export class PostCollection {
  /** Random and constant: identifies this collection in feeds. */
  @PrimaryColumn('text', { name: 'feed_id' })
  feedId!: string;

  /** The time from which all deletions are known; empty when none was ever forgotten. */
  @Column('text', { name: 'deletions_since', default: '' })
  deletionsSince!: string;

  /** The version of the text folding that built the search index; empty when there is no index. */
  @Column('text', { name: 'search_version', default: '' })
  searchVersion!: string;
}

/**
 * Counts posts and their changes with triggers. The totals are the sums of all rows; PostgreSQL has several rows for
 * concurrency.
 */
@Entity('posts_counters')
export class PostCounter {
  @PrimaryColumn('integer')
  id!: number;

  @Column('bigint')
  posts!: number;

  /** Increases with every change of any post. */
  @Column('bigint')
  changes!: number;

  /** The time of the last change; the latest of all rows counts. */
  @Column('text', { default: UNKNOWN_TIME })
  modified!: string;
}

/** A post that was deleted. Triggers on `posts` write the row, and remove it when the post is restored. */
@Entity('post_deletions')
@Index('post_deletions_by_time', ['deletedAt', 'id'])
export class PostDeletion {
  @PrimaryColumn('integer')
  id!: number;

  /** The time of the last deletion, in the stored form of dates. */
  @Column('text', { name: 'deleted_at' })
  deletedAt!: string;
}
