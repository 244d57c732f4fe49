import { Injectable } from '@nestjs/common';
import { Batches, type Outcome } from '../database/database.js';
import type { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';

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
    this.#batches = new Batches({ maxRunning: MAX_RUNNING, run: (ids) => this.#read(ids) });
  }

  /** @throws DatabaseFault */
  find(id: number): Promise<Post | undefined> {
    return this.#batches.add(id);
  }

  async #read(ids: readonly number[]): Promise<(Outcome<Post | undefined> | undefined)[]> {
    if (ids.length === 1) return [{ result: await this.repository.findById(ids[0]!) }];
    const posts = await this.repository.findByIds([...new Set(ids)]);
    const byId = new Map(posts.map((post) => [post.id, post]));
    return ids.map((id) => {
      const post = byId.get(id);
      // All large bodies of a batch at once could exceed the memory.
      return post?.body === null ? undefined : { result: post as Post | undefined };
    });
  }
}
