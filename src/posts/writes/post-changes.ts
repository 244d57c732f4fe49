import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/database.js';
import type { Author } from '../../users/user.js';
import { type NewPost, type Post, UNKNOWN_TIME } from '../post.entity.js';

/**
 * A change of one post: its author, and the post before and after it. PostWritesRepository sets the id of a created post,
 * and the time of change of every one.
 */
export type PostChange = { readonly author: Author } & (
  | {
      /** A deleted post, or an earlier version of an existing one, can be restored. */
      readonly action: 'created' | 'imported' | 'changed' | 'restored';
      readonly before: Post | undefined;
      readonly after: Post;
      /** The texts that the search index stores for the post; see lists/post-search.ts. */
      readonly words: readonly string[];
    }
  | {
      readonly action: 'deleted';
      readonly before: Post;
      readonly after: undefined;
      readonly words?: undefined;
    }
);

/** The post as a change leaves it. Only a new post has no id yet. */
export function postAfter(content: NewPost, id = 0, version = 1): Post {
  return { ...content, id, version, modified: UNKNOWN_TIME };
}

/**
 * Is notified of changes of posts in the transaction that makes them, whichever request caused them. Examples are the
 * search index and the history. A listener adds itself to {@link PostListeners} in its constructor.
 */
export interface PostChangeListener {
  /** @param changes in the order in which they were made */
  onChanges?(transaction: Transaction, changes: readonly PostChange[]): Promise<void> | void;
  /** Called when a client begins to read all posts of a list. @param mediaType the format */
  onExport?(author: Author, mediaType: string): void;
}

/** The listeners for changes of posts. */
@Injectable()
export class PostListeners {
  readonly all: PostChangeListener[] = [];

  add(listener: PostChangeListener): void {
    this.all.push(listener);
  }

  onExport(author: Author, mediaType: string): void {
    for (const listener of this.all) listener.onExport?.(author, mediaType);
  }
}
