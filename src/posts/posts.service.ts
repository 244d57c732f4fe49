import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Preconditions } from '../http/protocol/preconditions.js';
import type { Author } from '../http/request/author.js';
import { PostNotFound } from './post-id.js';
import { PostReads } from './post-reads.js';
import type { NewPost, Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import type { TransactionHooks } from './writes/post-change.js';
import { PostChanges, type PostReplacement } from './writes/post-changes.js';
import { PostListeners } from './writes/post-listeners.js';
import { type PostCreation, PostWritesRepository } from './writes/post-writes.repository.js';

/** Stores, finds, replaces and deletes posts. */
@Injectable()
export class PostsService {
  /** Posts that arrive at the same time are stored with one statement. */
  readonly #create: (creation: PostCreation) => Promise<Post>;

  constructor(
    private readonly database: Database,
    private readonly repository: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly changes: PostChanges,
    private readonly reads: PostReads,
    private readonly listeners: PostListeners,
  ) {
    this.#create = database.batched<PostCreation, Post>({
      lengthOf: ({ post }) => post.title.length + post.body.length,
      run: async (transaction, creations) =>
        (await writes.insert(transaction, creations)).map((result) => ({ result })),
    });
  }

  /** The number of all posts. */
  async count(): Promise<number> {
    return (await this.repository.readState()).count;
  }

  /** @throws PostNotFound */
  async findOrFail(id: number): Promise<Post> {
    const post = await this.reads.find(id);
    if (!post) throw new PostNotFound(id);
    return post;
  }

  /** Stores a post, possibly in one transaction with others that arrive at the same time. */
  create(post: NewPost, author: Author): Promise<Post> {
    return this.listeners.whilePrepared(post, () => this.#create({ post, author }));
  }

  /** Stores a post in its own transaction, together with the additional work of the hooks. */
  createAnd<Result>(
    post: NewPost,
    author: Author,
    { before, after }: TransactionHooks<Post, Result>,
  ): Promise<Result> {
    return this.listeners.whilePrepared(post, () =>
      this.database.write(async (transaction) => {
        await before(transaction);
        const [stored] = await this.writes.insert(transaction, [{ post, author }]);
        return after(transaction, stored!);
      }),
    );
  }

  /**
   * Replaces the post if it exists and the preconditions hold, in one atomic step. A replacement that changes nothing
   * keeps the version.
   *
   * @throws PostNotFound
   * @throws PreconditionFailed
   * @throws InvalidRequest when a precondition is malformed
   */
  async replace(
    id: number,
    replacement: PostReplacement,
    preconditions: Preconditions,
    author: Author,
  ): Promise<Post> {
    const change = { id, replacement, preconditions, author };
    const post = await this.listeners.whilePrepared(replacement, () => this.changes.make(change));
    return post!;
  }

  /**
   * Deletes the post if it exists and the preconditions hold, in one atomic step.
   *
   * @throws as {@link replace} does
   */
  async delete(id: number, preconditions: Preconditions, author: Author): Promise<void> {
    const change = { id, replacement: undefined, preconditions, author };
    await this.changes.make(change);
  }
}
