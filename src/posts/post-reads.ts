import { Injectable } from '@nestjs/common';
import type { Post } from './post.entity.js';
import { PostsRepository } from './posts.repository.js';

/** Enough to spread the cost of a query thin. */
const MAX_BATCH = 64;
/** While so many queries are under way, what is asked for waits and is read by the next one. */
const MAX_RUNNING = 2;

interface Reading {
  readonly id: number;
  readonly resolve: (post: Post | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Reads posts that are asked for at the same time by one query: measured on PostgreSQL, where most of the time that a
 * read takes goes into its round trip. A post that is asked for alone is read at once.
 *
 * Nobody is given an older state than with a query of their own: each query starts after all those whom it serves have
 * asked.
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
        // All the large ones of a batch at once could be more than memory holds.
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
