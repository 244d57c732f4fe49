import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Of a change that came in without its time: an older version of the service, during an update, knows none. */
export const UNKNOWN_TIME = '1970-01-01T00:00:00.000000Z';

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

  /** UTC with microseconds, `YYYY-MM-DDTHH:MM:SS.ffffffZ`: it sorts as it reads, on every database. */
  @Column('text', { name: 'pub_date' })
  pubDate!: string;

  @Column('text')
  body!: string;

  /** Starts at 1 and grows with every change, so that `id-version` never names two contents. */
  @Column('integer', { default: 1 })
  version!: number;

  /** The time of the last change, of the same form; see writes/change-time.ts. */
  @Column('text', { default: UNKNOWN_TIME })
  modified!: string;
}

/** What its author writes of a post: a change replaces it, the history keeps what it was, an import brings it. */
export const POST_CONTENT = ['title', 'pubDate', 'body'] as const satisfies readonly (keyof Post)[];
export type NewPost = Pick<Post, (typeof POST_CONTENT)[number]>;

export function hasSameContent(a: NewPost, b: NewPost): boolean {
  return POST_CONTENT.every((property) => a[property] === b[property]);
}
