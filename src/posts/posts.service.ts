import { Injectable } from '@nestjs/common';
import type { ChangeHooks } from '../database/index.js';
import type { Client } from '../limits/index.js';
import type { Author } from '../users/user.js';
import { hooksWhileAllowed } from '../users/permissions.js';
import type { Preconditions } from '../problem-details/index.js';
import { PostNotFound } from './post-id.js';
import { assertMet } from './post-validators.js';
import { hasSameContent, type NewPost, type Post } from './post.entity.js';
import { PostsStateRepository } from './posts-state.repository.js';
import { postAfter } from './writes/post-changes.js';
import { PostWritesRepository } from './writes/post-writes.repository.js';

/** The new content of a post. Without `pubDate` the post keeps its date. */
export type PostReplacement = Omit<NewPost, 'pubDate'> & { readonly pubDate: string | undefined };

/** Finds, stores, replaces and deletes posts. */
@Injectable()
export class PostsService {
  constructor(
    private readonly states: PostsStateRepository,
    private readonly posts: PostWritesRepository,
  ) {}

  /** The number of all posts. */
  async count(): Promise<number> {
    return (await this.states.readState()).count;
  }

  /** @param client the client that waits for the post @throws PostNotFound */
  async findOrFail(id: number, client?: Client): Promise<Post> {
    return existing(await this.posts.find(id, client), id);
  }

  /** @param client the client that waits for the answer @throws PostNotFound */
  async assertExists(id: number, client?: Client): Promise<void> {
    if (!(await this.posts.exists(id, client))) throw new PostNotFound(id);
  }

  /** Whether the post has this version, by a query that starts after the call. */
  isCurrent(id: number, version: number): Promise<boolean> {
    return this.posts.isCurrent(id, version);
  }

  /**
   * Stores a post.
   *
   * @param client has at most a quarter of the connections
   * @throws TokenUnknown or RoleMissing when the author may no longer write
   * @throws what the hooks throw
   */
  async create(post: NewPost, author: Author, client?: Client, hooks?: ChangeHooks<Post>): Promise<Post> {
    const prepared = await this.posts.prepare(post, client);
    const stored = await this.posts.change({
      length: post.body.length,
      hooks: hooksWhileAllowed(author, 'editor', hooks),
      client,
      decide: () => ({ action: 'created', author, prepared, before: undefined, after: postAfter(post) }),
    });
    return stored!;
  }

  /**
   * Replaces the post if it exists and the preconditions hold, in one atomic step. A replacement that changes nothing
   * keeps the version.
   *
   * @throws PostNotFound
   * @throws TokenUnknown or RoleMissing when the author may no longer write
   * @throws PreconditionFailed
   * @throws InvalidRequest when a precondition is malformed
   */
  async replace(
    id: number,
    content: PostReplacement,
    preconditions: Preconditions,
    author: Author,
    client?: Client,
  ): Promise<Post> {
    const prepared = await this.posts.prepare(content, client);
    const stored = await this.posts.change({
      id,
      length: content.body.length,
      hooks: hooksWhileAllowed(author, 'editor'),
      client,
      decide(post) {
        const before = existing(post, id);
        assertMet(preconditions, before);
        const pubDate = content.pubDate ?? before.pubDate;
        const after = postAfter({ ...content, pubDate }, id, before.version + 1);
        return hasSameContent(after, before)
          ? undefined
          : { action: 'changed', author, prepared, before, after };
      },
    });
    return stored!;
  }

  /**
   * Deletes the post if it exists and the preconditions hold, in one atomic step.
   *
   * @throws as {@link replace} does
   */
  async delete(id: number, preconditions: Preconditions, author: Author, client?: Client): Promise<void> {
    // Guessed ids cost no transaction.
    await this.assertExists(id, client);
    await this.posts.change({
      id,
      hooks: hooksWhileAllowed(author, 'editor'),
      client,
      decide(post) {
        const before = existing(post, id);
        assertMet(preconditions, before);
        return { action: 'deleted', author, before, after: undefined };
      },
    });
  }
}

/** @throws PostNotFound */
function existing(post: Post | undefined, id: number): Post {
  if (!post) throw new PostNotFound(id);
  return post;
}
