import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Author } from '../users/user.js';
import type { NewPost } from '../posts/post.entity.js';
import { toPubDate } from '../posts/pub-date.js';

/** The property that holds the old value of each property that an author writes. */
export const OLD = {
  title: 'oldTitle',
  pubDate: 'oldPubDate',
  body: 'oldBody',
} as const satisfies Readonly<Record<keyof NewPost, keyof PostRevision>>;

/**
 * A change of one post, or the creation of all posts from `postId` to `lastPostId`, with the values that the change
 * replaced or deleted. Only `posts` has the current values. Number 0 is an entry of the change log that is not about a
 * single post: a log-in, a change of an account, or an action that changed many posts.
 */
@Entity('post_revisions')
// Each row is in at most one of these two, so that a change updates only one.
@Index('post_revisions_by_creation', ['postId', 'lastPostId'], { where: '"number" = 1' })
@Index('post_revisions_by_post', ['postId', 'number'], { unique: true, where: '"number" > 1' })
@Index('post_revisions_by_action', ['action', 'id'], {
  where: `"action" NOT IN ('created', 'changed') AND "part_of" IS NULL`,
})
@Index('post_revisions_by_author', ['authorKind', 'authorName', 'id'], {
  where: `"author_kind" <> 'api' AND "part_of" IS NULL`,
})
@Index('post_revisions_by_entry', ['partOf', 'id'], { where: '"part_of" IS NOT NULL' })
@Index('post_revisions_by_deletion', ['id'], { where: `"action" = 'deleted'` })
export class PostRevision {
  @PrimaryGeneratedColumn()
  id!: number;

  /** 0 when the entry is not about a single post. */
  @Column('integer', { name: 'post_id' })
  postId!: number;

  /** Equals `postId`, unless several posts were created together. */
  @Column('integer', { name: 'last_post_id' })
  lastPostId!: number;

  /** The version of the post after the change. */
  @Column('integer')
  number!: number;

  @Column('text')
  action!: ChangeAction;

  /** UTC with microseconds, like `pub_date` of a post. */
  @Column('text')
  at!: string;

  @Column('text', { name: 'author_kind' })
  authorKind!: Author['kind'];

  @Column('text', { name: 'author_name', nullable: true })
  authorName!: string | null;

  // The values before the change. Null for a creation, and for a change older than HISTORY_DAYS.

  @Column('text', { name: 'old_title', nullable: true, select: false })
  oldTitle!: string | null;

  @Column('text', { name: 'old_pub_date', nullable: true, select: false })
  oldPubDate!: string | null;

  @Column('text', { name: 'old_body', nullable: true, select: false })
  oldBody!: string | null;

  /** The address of the client, as client-address.ts determines it; null where the author is not known. */
  @Column('text', { nullable: true })
  address!: string | null;

  /** The account or the token that an entry is about. */
  @Column('text', { nullable: true })
  subject!: string | null;

  @Column('text', { nullable: true })
  detail!: string | null;

  /** The number of occurrences, or of posts that the action changed; null for a change of a post. */
  @Column('integer', { nullable: true })
  count!: number | null;

  /** The entry of the log that covers this change and others of the same action. */
  @Column('integer', { name: 'part_of', nullable: true, select: false })
  partOf!: number | null;
}

/** A row to be stored. */
export type RevisionRow = Omit<PostRevision, 'id'>;

/** A row about a post, or, with the number 0, of an entry that is not about one. */
export function revisionRow(
  action: ChangeAction,
  author: Author,
  postId: number,
  number: number,
  old?: NewPost,
): RevisionRow {
  return {
    at: toPubDate(),
    postId,
    lastPostId: postId,
    number,
    action,
    authorKind: author.kind,
    authorName: author.name ?? null,
    oldTitle: old?.title ?? null,
    oldPubDate: old?.pubDate ?? null,
    oldBody: old?.body ?? null,
    address: author.address ?? null,
    subject: null,
    detail: null,
    count: null,
    partOf: author.partOf ?? null,
  };
}

/** The changes of a post. `found` means that the post existed when its history began. */
export const REVISION_ACTIONS = ['created', 'imported', 'found', 'changed', 'deleted', 'restored'] as const;
export type RevisionAction = (typeof REVISION_ACTIONS)[number];

/** The changes of posts in the log, which include the permanent removal of a deleted post. */
export const POST_ACTIONS = [...REVISION_ACTIONS, 'purged'] as const;

export const CHANGE_ACTIONS = [
  ...POST_ACTIONS,
  'exported',
  'logged_in',
  'login_failed',
  'logged_out',
  'account_added',
  'account_enabled',
  'account_disabled',
  'role_changed',
  'password_changed',
  'token_created',
  'token_revoked',
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** When a change was made, and by whom. */
export type Authorship = Pick<PostRevision, 'at' | 'authorKind' | 'authorName'>;

/** A post after a change; for its deletion, the deleted content. Its number is the version of the post after the change. */
export interface Revision extends Authorship, Pick<PostRevision, 'number'>, Omit<NewPost, 'body'> {
  readonly action: RevisionAction;
}

/** A revision with its body, which lists leave out. */
export type WholeRevision = Revision & NewPost;

/** An entry of the log. */
export type LoggedChange = Omit<PostRevision, 'partOf' | (typeof OLD)[keyof NewPost]> & {
  /** The title of the post after the change; null for several posts, and when it is no longer kept. */
  readonly title: string | null;
};

export type ChangedPost = Pick<LoggedChange, 'postId' | 'title'>;

/** The deletion of a post that can be restored, with the content that lists show. */
export type DeletedPost = Authorship &
  Pick<PostRevision, 'id' | 'postId'> & { readonly oldTitle: string; readonly oldPubDate: string };
