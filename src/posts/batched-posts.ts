import { Injectable } from '@nestjs/common';
import { DatabaseFault } from '../database/database-fault.js';
import { Database } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import type { NewPost, Post } from './post.entity.js';
import { type PostCreation, PostsRepository } from './posts.repository.js';

/** Enough to spread the cost of a query or a transaction thin, few enough that the first of them does not wait for long. */
const MAX_BATCH = 64;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (reason: unknown) => void;
}

interface BatchRules<Item, Result> {
  /** While so many batches run, what comes in waits and makes up the next one. */
  readonly maxRunning: number;
  /** Does the work of a batch, and gives the result of each item. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>;
  /** Bounds the size of a batch of several items. */
  readonly sizeOf?: (item: Item) => number;
  readonly maxSize?: number;
  /** Whether one item may have brought the fault in, for which the others need not fail. */
  readonly isFaultOfOne?: (fault: unknown) => boolean;
}

/** Does together what is asked for at the same time. What is asked for alone is done at once. */
class Batches<Item, Result> {
  readonly #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(private readonly rules: BatchRules<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < this.rules.maxRunning) void this.#runWaiting();
    });
  }

  async #runWaiting(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) await this.#run(this.#nextBatch());
    this.#running -= 1;
  }

  #nextBatch(): readonly Waiting<Item, Result>[] {
    const { sizeOf = () => 0, maxSize = 0 } = this.rules;
    let size = 0;
    const end = this.#waiting.findIndex(({ item }, index) => {
      size += sizeOf(item);
      return index > 0 && (index === MAX_BATCH || size > maxSize);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.rules.run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (fault) {
      if (batch.length > 1 && this.rules.isFaultOfOne?.(fault)) {
        for (const each of batch) await this.#run([each]);
      } else {
        for (const { reject } of batch) reject(fault);
      }
    }
  }
}

/**
 * Reads posts that are asked for at the same time by one query: measured on PostgreSQL, where most of the time that a
 * read takes goes into its round trip, half of the CPU time.
 *
 * Nobody is given an older state than with a query of their own: each query starts after all those whom it serves have
 * asked.
 */
@Injectable()
export class PostReads {
  readonly #batches: Batches<number, Post | undefined>;

  constructor(repository: PostsRepository) {
    this.#batches = new Batches({
      maxRunning: 2,
      run: async (ids) => {
        if (ids.length === 1) return [await repository.findById(ids[0]!)];
        const posts = new Map((await repository.findByIds([...new Set(ids)])).map((post) => [post.id, post]));
        return ids.map((id) => {
          const post = posts.get(id);
          // All the large ones of a batch at once could be more than memory holds.
          return post?.body === null ? repository.findById(id) : (post as Post | undefined);
        });
      },
    });
  }

  /** @throws DatabaseFault */
  find(id: number): Promise<Post | undefined> {
    return this.#batches.add(id);
  }
}

/**
 * Stores posts that come at the same time by one statement in one transaction: each is acknowledged after the commit,
 * and costs a fraction of what it would cost alone.
 */
@Injectable()
export class PostCreations {
  readonly #batches: Batches<PostCreation, Post>;

  constructor(repository: PostsRepository, { dialect }: Database) {
    this.#batches = new Batches({
      maxRunning: dialect.concurrentWrites,
      sizeOf: ({ post }) => post.title.length + post.body.length,
      // In UTF-16 units: longer posts take so long themselves that nothing is gained by sharing.
      maxSize: 1_048_576,
      run: (creations) => repository.transaction((transaction) => repository.insert(transaction, creations)),
      isFaultOfOne: (fault) =>
        !(fault instanceof DatabaseFault) || fault.kind === 'unexpected' || fault.kind === 'full',
    });
  }

  /** @throws DatabaseFault */
  create(post: NewPost, author: Author): Promise<Post> {
    return this.#batches.add({ post, author });
  }
}
