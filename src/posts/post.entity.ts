import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The time of a change without a known time: an older version of the service, during an update, does not set it. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000000Z';

/** Posts with larger bodies are read and changed alone. Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** A text with a title and a date of publication. */
@Entity('posts')
@Index('posts_by_pub_date', ['pubDate', 'id'])
@Index('posts_by_title', ['title', 'id'])
@Index('posts_by_modified', ['modified', 'id'])
export class Post {
  /** Assigned by the database, never used twice. */
  @PrimaryGeneratedColumn()
  id!: number;

  /** 1 to 200 code points. */
  @Column('text')
  title!: string;

  /** UTC with microseconds, `YYYY-MM-DDTHH:MM:SS.ffffffZ`: text order is time order on every database. */
  @Column('text', { name: 'pub_date' })
  pubDate!: string;

  @Column('text')
  body!: string;

  /** Starts at 1 and increases with every change, so that `id-version` never identifies two contents. */
  @Column('integer', { default: 1 })
  version!: number;

  /** The time of the last change, in the same form; see writes/post-writes.repository.ts. */
  @Column('text', { default: UNKNOWN_TIME })
  modified!: string;
}

/**
 * The properties that an author writes: a change replaces them, the history keeps their old values, an import provides
 * them.
 */
export const POST_CONTENT = ['title', 'pubDate', 'body'] as const satisfies readonly (keyof Post)[];
export type NewPost = Pick<Post, (typeof POST_CONTENT)[number]>;

export function hasSameContent(a: NewPost, b: NewPost): boolean {
  for (const property of POST_CONTENT) if (a[property] !== b[property]) return false;
  return true;
}
