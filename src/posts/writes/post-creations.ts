import { Injectable } from '@nestjs/common';
import { Database, MAX_WAITING_WRITES } from '../../database/database.js';
import type { Author } from '../../http/request/author.js';
import { Batches } from '../batches.js';
import type { NewPost, Post } from '../post.entity.js';
import { type PostCreation, PostWritesRepository } from './post-writes.repository.js';

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
