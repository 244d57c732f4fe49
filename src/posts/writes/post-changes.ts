import { Injectable } from '@nestjs/common';
import { Database, type Outcome, type Outcomes, type Transaction } from '../../database/database.js';
import type { Preconditions } from '../../http/protocol/preconditions.js';
import type { Author } from '../../http/request/author.js';
import { PostNotFound } from '../post-id.js';
import { assertMet } from '../post-validators.js';
import { hasSameContent, type NewPost, Post } from '../post.entity.js';
import type { PostChange } from './post-change.js';
import { hasBody, PostWritesRepository } from './post-writes.repository.js';

/** The new content of a post. Without `pubDate` the post keeps its date. */
export type PostReplacement = Omit<NewPost, 'pubDate'> & { readonly pubDate: string | undefined };

/** A replacement or a deletion as a client requests it. */
export interface RequestedChange {
  readonly id: number;
  readonly preconditions: Preconditions;
  readonly author: Author;
  /** Undefined for a deletion. */
  readonly replacement: PostReplacement | undefined;
}

/** A replaced or unchanged post; undefined after its deletion. */
type Changed = Post | undefined;

/**
 * Replaces and deletes posts. Changes of different posts that arrive at the same time share a transaction and its
 * statements. Each is decided by itself: the post is locked, and its state is compared with the preconditions, before
 * anything is written.
 */
@Injectable()
export class PostChanges {
  /** @throws PostNotFound, PreconditionFailed */
  readonly make: (change: RequestedChange) => Promise<Changed>;

  constructor(
    database: Database,
    private readonly repository: PostWritesRepository,
  ) {
    this.make = database.batched<RequestedChange, Changed>({
      keyOf: ({ id }) => id,
      lengthOf: ({ replacement }) => (replacement ? replacement.title.length + replacement.body.length : 0),
      run: (transaction, items) => this.#run(transaction, items),
    });
  }

  async #run(transaction: Transaction, items: readonly RequestedChange[]): Promise<Outcomes<Changed>> {
    const posts = await this.#lock(transaction, items);
    const decided = items.map((item) => {
      const post = posts.find(({ id }) => id === item.id);
      if (post) return decide(item, post);
      // Posts that do not exist, that another transaction has locked, and those with large bodies run alone.
      return items.length === 1 ? { refused: new PostNotFound(item.id) } : undefined;
    });
    const changes = decided.flatMap((each) => (each && 'change' in each ? [each.change] : []));
    const { replaced } = await this.repository.change(transaction, changes);
    return decided.map((each) =>
      each && 'change' in each ? { result: replaced.then((byId) => byId.get(each.change.before!.id)) } : each,
    );
  }

  async #lock(transaction: Transaction, items: readonly RequestedChange[]): Promise<readonly Post[]> {
    if (items.length === 1) return this.repository.lock(transaction, items[0]!.id);
    const ids = items.map(({ id }) => id);
    return (await this.repository.findUnlockedForUpdate(transaction, ids)).filter(hasBody);
  }
}

/** A change to make, or the outcome of an item that changes nothing. */
function decide(
  { replacement, preconditions, author }: RequestedChange,
  before: Post,
): { readonly change: PostChange } | Outcome<Changed> {
  try {
    assertMet(preconditions, before);
  } catch (refused) {
    return { refused };
  }
  if (!replacement) return { change: { action: 'deleted', author, before, after: undefined } };
  const after = Object.assign(new Post(), replacement, {
    pubDate: replacement.pubDate ?? before.pubDate,
    id: before.id,
    version: before.version + 1,
  });
  if (hasSameContent(after, before)) return { result: before };
  return { change: { action: 'changed', author, before, after } };
}
