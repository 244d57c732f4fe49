import type { Author } from '../http/request/author.js';
import type { NewPost } from '../posts/post.entity.js';

/** What happened to a post; `found`: it was there when its history began. */
export const REVISION_ACTIONS = ['created', 'imported', 'found', 'changed', 'deleted', 'restored'] as const;
export type RevisionAction = (typeof REVISION_ACTIONS)[number];

/** What the log of all changes tells of: the same, and that a deleted post was removed for good. */
export const CHANGE_ACTIONS = [...REVISION_ACTIONS, 'purged'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** What a post was after a change of it; for its deletion, what was deleted. */
export interface Revision extends Omit<NewPost, 'body'> {
  /** The version of the post that the change made. */
  readonly number: number;
  readonly action: RevisionAction;
  /** Stored form of a date. */
  readonly at: string;
  readonly author: Author;
}

/** A revision with its body, which a list leaves out. */
export type WholeRevision = Revision & NewPost;

/** An entry of the log of all changes: of one post, or of all that were made together. */
export interface LoggedChange {
  readonly id: number;
  readonly postId: number;
  readonly lastPostId: number;
  readonly action: ChangeAction;
  readonly at: string;
  readonly author: Author;
  /** Of the post after the change; undefined for several posts, and when it is kept no more. */
  readonly title: string | undefined;
}

/** A post that was deleted and can be restored. */
export interface DeletedPost {
  /** Of its deletion, in the log. */
  readonly changeId: number;
  readonly id: number;
  readonly title: string;
  readonly pubDate: string;
  readonly deletedAt: string;
  readonly author: Author;
}
