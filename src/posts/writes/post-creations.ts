import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { DatabaseFault } from '../../database/database-fault.js';
import type { Author } from '../../http/request/author.js';
import type { NewPost, Post } from '../post.entity.js';
import { PostsRepository } from '../posts.repository.js';

/** Large enough to spread the cost of a transaction, small enough that the first post of a batch does not wait long. */
const MAX_BATCH = 64;
/** In UTF-16 units. Longer posts take so long to store that batching gains nothing. */
const MAX_BATCH_LENGTH = 1024 * 1024;

interface Creation {
  readonly post: NewPost;
  readonly author: Author;
  readonly resolve: (stored: Post) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Stores posts that arrive at the same time with one statement in one transaction. Each is acknowledged after the
 * commit, at a fraction of the cost of its own transaction. A post that arrives alone is stored at once.
 */
@Injectable()
export class PostCreations {
  readonly #waiting: Creation[] = [];
  /** While this many batches are being stored, new posts wait for the next batch. */
  readonly #maxRunning: number;
  #running = 0;

  constructor(
    private readonly repository: PostsRepository,
    { dialect }: Database,
  ) {
    this.#maxRunning = dialect.concurrentWrites;
  }

  /** @throws DatabaseFault */
  create(post: NewPost, author: Author): Promise<Post> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ post, author, resolve, reject });
      if (this.#running < this.#maxRunning) void this.#storeWaiting();
    });
  }

  async #storeWaiting(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) await this.#store(this.#nextBatch());
    this.#running -= 1;
  }

  #nextBatch(): readonly Creation[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ post }, index) => {
      length += post.title.length + post.body.length;
      return index > 0 && (index === MAX_BATCH || length > MAX_BATCH_LENGTH);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #store(batch: readonly Creation[]): Promise<void> {
    try {
      const stored = await this.repository.transaction((transaction) =>
        this.repository.insert(transaction, batch),
      );
      batch.forEach(({ resolve }, index) => resolve(stored[index]!));
    } catch (fault) {
      if (batch.length > 1 && isFaultOfOne(fault)) {
        for (const creation of batch) await this.#store([creation]);
      } else {
        for (const { reject } of batch) reject(fault);
      }
    }
  }
}

/** Whether one post may have caused the fault, so that the others can still be stored. */
function isFaultOfOne(fault: unknown): boolean {
  return !(fault instanceof DatabaseFault) || fault.kind === 'unexpected' || fault.kind === 'full';
}
