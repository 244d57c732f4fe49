import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Author } from '../http/request/author.js';
import type { NewPost } from '../posts/post.entity.js';
import type { ChangeAction } from './revision.js';

/**
 * A change of one post, or the creation of all posts from `postId` to `lastPostId`, with the values that the change
 * replaced or deleted. The present values are in `posts` alone.
 */
@Entity('post_revisions')
// Each row is in one of these two, so that a change pays for one.
@Index('post_revisions_by_creation', ['postId', 'lastPostId'], { where: '"number" = 1' })
@Index('post_revisions_by_post', ['postId', 'number'], { unique: true, where: '"number" > 1' })
@Index('post_revisions_by_action', ['action', 'id'], { where: `"action" NOT IN ('created', 'changed')` })
@Index('post_revisions_by_author', ['authorKind', 'authorName', 'id'], { where: `"author_kind" <> 'api'` })
export class PostRevision {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('integer', { name: 'post_id' })
  postId!: number;

  /** The same as `postId`, unless several posts were made together. */
  @Column('integer', { name: 'last_post_id' })
  lastPostId!: number;

  /** The version of the post that the change made. */
  @Column('integer')
  number!: number;

  @Column('text')
  action!: ChangeAction;

  /** UTC with microseconds, as `pub_date` of a post. */
  @Column('text')
  at!: string;

  @Column('text', { name: 'author_kind' })
  authorKind!: Author['kind'];

  @Column('text', { name: 'author_name', nullable: true })
  authorName!: string | null;

  /** Null for a creation, and once it is older than HISTORY_DAYS; so are the other old values. */
  @Column('text', { name: 'old_title', nullable: true })
  oldTitle!: string | null;

  @Column('text', { name: 'old_pub_date', nullable: true })
  oldPubDate!: string | null;

  @Column('text', { name: 'old_body', nullable: true })
  oldBody!: string | null;
}

/** Which property holds what each property of a post was. */
export const OLD = {
  title: 'oldTitle',
  pubDate: 'oldPubDate',
  body: 'oldBody',
} as const satisfies Record<keyof NewPost, keyof PostRevision>;
