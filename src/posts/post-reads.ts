import { Injectable } from '@nestjs/common';
import type { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';

/** Large enough to spread the cost of a query. */
const MAX_BATCH = 64;
/** While this many queries run, further reads wait for the next query. */
const MAX_RUNNING = 2;

interface Reading {
  readonly id: number;
  readonly resolve: (post: Post | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Reads posts that are requested at the same time with one query. On PostgreSQL, the round trip was measured to take
 * most of the time of a read. A post that is requested alone is read at once.
 *
 * No request receives an older state than from its own query: each query starts after all the requests that it serves.
 */
@Injectable()
export class PostReads {
  readonly #waiting: Reading[] = [];
  #running = 0;

  constructor(private readonly repository: PostsRepository) {}

  /** @throws DatabaseFault */
  find(id: number): Promise<Post | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, resolve, reject });
      if (this.#running < MAX_RUNNING) void this.#readWaiting();
    });
  }

  async #readWaiting(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) await this.#read(this.#waiting.splice(0, MAX_BATCH));
    this.#running -= 1;
  }

  async #read(batch: readonly Reading[]): Promise<void> {
    if (batch.length === 1) return this.#readAlone(batch[0]!);
    try {
      const posts = await this.repository.findByIds([...new Set(batch.map(({ id }) => id))]);
      const byId = new Map(posts.map((post) => [post.id, post]));
      for (const reading of batch) {
        const post = byId.get(reading.id);
        // All large bodies of a batch at once could exceed the memory.
        if (post?.body === null) void this.#readAlone(reading);
        else reading.resolve(post as Post | undefined);
      }
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    }
  }

  async #readAlone({ id, resolve, reject }: Reading): Promise<void> {
    try {
      resolve(await this.repository.findById(id));
    } catch (fault) {
      reject(fault);
    }
  }
}
