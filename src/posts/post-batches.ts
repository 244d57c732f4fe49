import { Injectable } from '@nestjs/common';
import { Database, MAX_WAITING_WRITES } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import { Batches } from './batches.js';
import type { NewPost, Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';
import { type PostCreation, PostWritesRepository } from './writes/post-writes.repository.js';

/** While this many queries run, further reads wait for the next query. */
const MAX_RUNNING = 2;

/**
 * Reads posts that are requested at the same time with one query. On PostgreSQL, the round trip was measured to take
 * most of the time of a read.
 *
 * No request receives an older state than from its own query: each query starts after all the requests that it serves.
 */
@Injectable()
export class PostReads {
  readonly #batches: Batches<number, Post | undefined>;

  constructor(private readonly repository: PostsRepository) {
    this.#batches = new Batches({
      maxRunning: MAX_RUNNING,
      together: (ids) => this.#read(ids),
      alone: (id) => repository.findById(id),
    });
  }

  /** @throws DatabaseFault */
  find(id: number): Promise<Post | undefined> {
    return this.#batches.add(id);
  }

  async #read(ids: readonly number[]): Promise<((() => Post | undefined) | undefined)[]> {
    if (ids.length === 1) {
      const post = await this.repository.findById(ids[0]!);
      return [() => post];
    }
    const posts = await this.repository.findByIds([...new Set(ids)]);
    const byId = new Map(posts.map((post) => [post.id, post]));
    return ids.map((id) => {
      const post = byId.get(id);
      // All large bodies of a batch at once could exceed the memory.
      return post?.body === null ? undefined : () => post as Post | undefined;
    });
  }
}

/** Stores posts that arrive at the same time with one statement in one transaction. */
@Injectable()
export class PostCreations {
  readonly #batches: Batches<PostCreation, Post>;

  constructor(
    private readonly repository: PostWritesRepository,
    { dialect }: Database,
  ) {
    this.#batches = new Batches({
      maxRunning: dialect.concurrentWrites,
      maxWaiting: MAX_WAITING_WRITES,
      lengthOf: ({ post }) => post.title.length + post.body.length,
      together: async (creations) => (await this.#store(creations)).map((post) => () => post),
      alone: async (creation) => (await this.#store([creation]))[0]!,
    });
  }

  /** @throws DatabaseFault */
  create(post: NewPost, author: Author): Promise<Post> {
    return this.#batches.add({ post, author });
  }

  #store(creations: readonly PostCreation[]): Promise<Post[]> {
    return this.repository.transaction((transaction) => this.repository.insert(transaction, creations));
  }
}
