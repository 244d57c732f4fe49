import { Column, Entity, PrimaryColumn } from 'typeorm';
import { UNKNOWN_TIME } from './post.entity.js';

/** What is known of the posts as a whole. The table has one row, made by its migration. */
@Entity('posts_state')
export class PostCollection {
  /** Random, and never changed: it names this collection in feeds. */
  @PrimaryColumn('text', { name: 'feed_id' })
  feedId!: string;

  /** An import is bringing in the posts with ids from this one, which are not visible yet; 0 when there is none. */
  @Column('bigint', { name: 'hidden_from', default: 0 })
  hiddenFrom!: number;

  /** The last id of that import; 0 when there is none. */
  @Column('bigint', { name: 'hidden_to', default: 0 })
  hiddenTo!: number;

  /** When the import that runs began, which is when its posts say they were made; empty when there is none. */
  @Column('text', { name: 'importing_since', default: '' })
  importingSince!: string;

  /** The version of the folding by which the search index was made; empty when there is no index. */
  @Column('text', { name: 'search_version', default: '' })
  searchVersion!: string;
}

/** Counts posts and their changes, by triggers: the sums of all rows. On PostgreSQL there are several for concurrency. */
@Entity('posts_counters')
export class PostCounter {
  @PrimaryColumn('integer')
  id!: number;

  @Column('bigint')
  posts!: number;

  /** Grows with every change of any post. */
  @Column('bigint')
  changes!: number;

  /** The time of the last change; of all rows the latest counts. */
  @Column('text', { default: UNKNOWN_TIME })
  modified!: string;
}
