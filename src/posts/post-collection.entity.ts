import { Column, Entity, PrimaryColumn } from 'typeorm';

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
}
