import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/database.js';
import type { Author } from '../../http/request/author.js';
import type { PostChange, PostsImport } from './post-change.js';

/**
 * Is notified of changes of posts in the transaction that makes them, whichever request caused them. Examples are the
 * search index and the history. A listener adds itself to {@link PostListeners} in its constructor.
 */
export interface PostChangeListener {
  /** @param changes in the order in which they were made; imports call {@link onImport} instead */
  onChanges?(transaction: Transaction, changes: readonly PostChange[]): Promise<void> | void;
  /** Called once per import, in the transaction that makes its posts visible. Its words are already indexed. */
  onImport?(transaction: Transaction, posts: PostsImport): Promise<void> | void;
  /** Called when a client begins to read all posts of a list. @param mediaType the format */
  onExport?(author: Author, mediaType: string): void;
}

/** The listeners for changes of posts. */
@Injectable()
export class PostListeners {
  readonly #listeners: PostChangeListener[] = [];

  add(listener: PostChangeListener): void {
    this.#listeners.push(listener);
  }

  async onChanges(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    for (const listener of this.#listeners) await listener.onChanges?.(transaction, changes);
  }

  async onImport(transaction: Transaction, posts: PostsImport): Promise<void> {
    for (const listener of this.#listeners) await listener.onImport?.(transaction, posts);
  }

  onExport(author: Author, mediaType: string): void {
    for (const listener of this.#listeners) listener.onExport?.(author, mediaType);
  }
}
