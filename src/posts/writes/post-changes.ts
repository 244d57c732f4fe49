import { Injectable } from '@nestjs/common';
import type { ChangeListener, Prepared } from '../../database/index.js';
import type { Author } from '../../users/user.js';
import { type NewPost, type Post, UNKNOWN_TIME } from '../post.entity.js';

/** What is known of a post before its lock is taken: without a date, it keeps its own. */
export type SentPost = Omit<NewPost, 'pubDate'>;

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
      /** From {@link PostWritesRepository.prepare}, for the content of `after`. */
      readonly prepared: Prepared;
    }
  | {
      readonly action: 'deleted';
      readonly before: Post;
      readonly after: undefined;
      readonly prepared?: undefined;
    }
);

/** The post as a change leaves it. Only a new post has no id yet. */
export function postAfter(content: NewPost, id = 0, version = 1): Post {
  return { ...content, id, version, modified: UNKNOWN_TIME };
}

/**
 * Is told of changes of posts, whichever request causes them: the history is one. A listener adds itself to
 * {@link PostListeners} in its constructor.
 *
 * @template Result what it prepares
 */
export interface PostChangeListener<Result = unknown> extends ChangeListener<PostChange, SentPost, Result> {
  /** Called when a client begins to read all posts of a list. @param mediaType the format */
  onExport?(author: Author, mediaType: string): void;
}

/** The listeners for changes of posts. */
@Injectable()
export class PostListeners {
  readonly all: PostChangeListener[] = [];

  /** Add it while the service starts: what was prepared for a change is found again by the place of its listener. */
  add<Result>(listener: PostChangeListener<Result>): void {
    this.all.push(listener);
  }

  onExport(author: Author, mediaType: string): void {
    for (const listener of this.all) listener.onExport?.(author, mediaType);
  }
}
