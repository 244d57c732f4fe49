import { Injectable } from '@nestjs/common';
import type { Preconditions } from '../http/protocol/preconditions.js';
import type { Author } from '../http/request/author.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import type { PostReplacement } from './dto/post.dto.js';
import { PostCreations, PostReads } from './post-batches.js';
import { PostNotFound } from './post-id.js';
import type { NewPost, Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import type { TransactionHooks } from './writes/post-change.js';
import { PostChanges } from './writes/post-changes.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';

/** Stores, finds, replaces and deletes posts. */
@Injectable()
export class PostsService {
  constructor(
    private readonly repository: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly creations: PostCreations,
    private readonly changes: PostChanges,
    private readonly reads: PostReads,
    private readonly search: SearchIndexRepository,
  ) {}

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
    return this.search.withExtractedTerms([post], () => this.creations.create(post, author));
  }

  /** Stores a post in its own transaction, together with the additional work of the hooks. */
  createAnd<Result>(
    post: NewPost,
    author: Author,
    { before, after }: TransactionHooks<Post, Result>,
  ): Promise<Result> {
    return this.search.withExtractedTerms([post], () =>
      this.writes.transaction(async (transaction) => {
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
  replace(
    id: number,
    replacement: PostReplacement,
    preconditions: Preconditions,
    author: Author,
  ): Promise<Post> {
    return this.search.withExtractedTerms([replacement], () =>
      this.changes.replace(id, replacement, preconditions, author),
    );
  }

  /**
   * Deletes the post if it exists and the preconditions hold, in one atomic step.
   *
   * @throws as {@link replace} does
   */
  delete(id: number, preconditions: Preconditions, author: Author): Promise<void> {
    return this.changes.delete(id, preconditions, author);
  }
}
