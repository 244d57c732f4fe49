import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { UNKNOWN_TIME } from './post.entity.js';

/** The state of the whole collection. The table has one row, which its migration creates. */
@Entity('posts_state')
export class PostCollection {
  /** Random and constant: identifies this collection in feeds. */
  @PrimaryColumn('text', { name: 'feed_id' })
  feedId!: string;

  /** The first id of the running import, whose posts are not visible yet; 0 when there is none. */
  @Column('bigint', { name: 'hidden_from', default: 0 })
  hiddenFrom!: number;

  /** The last id of that import; 0 when there is none. */
  @Column('bigint', { name: 'hidden_to', default: 0 })
  hiddenTo!: number;

  /** When the running import began, which is the time of change of its posts; empty when there is none. */
  @Column('text', { name: 'importing_since', default: '' })
  importingSince!: string;

  /** Identifies the request of that import; empty when it has no Idempotency-Key. */
  @Column('text', { name: 'import_key', default: '' })
  importKey!: string;

  /** Increases while that import makes progress; -1 while its posts are being removed. */
  @Column('bigint', { name: 'import_beats', default: 0 })
  importBeats!: number;

  /** The time from which all deletions are known; empty when none was ever forgotten. */
  @Column('text', { name: 'deletions_since', default: '' })
  deletionsSince!: string;

  /** The version of the text folding that built the search index; empty when there is no index. */
  @Column('text', { name: 'search_version', default: '' })
  searchVersion!: string;
}

/** A range of ids, both ends included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** An SQL condition that excludes the staged posts of an import. */
export const IS_VISIBLE =
  'post.id NOT BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

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

/** A post that was deleted. A trigger on `posts` writes the row; a post that was restored may still have one. */
@Entity('post_deletions')
@Index('post_deletions_by_time', ['deletedAt', 'id'])
export class PostDeletion {
  @PrimaryColumn('integer')
  id!: number;

  /** The time of the last deletion, in the stored form of dates. */
  @Column('text', { name: 'deleted_at' })
  deletedAt!: string;
}
