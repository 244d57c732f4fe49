import { Injectable } from '@nestjs/common';
import type { Outcome, Transaction, WriteBatch } from '../../database/database.js';
import type { Preconditions } from '../../http/protocol/preconditions.js';
import type { Author } from '../../http/request/author.js';
import { PostNotFound } from '../post-id.js';
import { assertMet } from '../post-validators.js';
import { hasSameContent, type NewPost, type Post } from '../post.entity.js';
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
export class PostChanges implements WriteBatch<RequestedChange, Changed> {
  constructor(private readonly repository: PostWritesRepository) {}

  keyOf({ id }: RequestedChange): number {
    return id;
  }

  lengthOf({ replacement }: RequestedChange): number {
    return replacement ? replacement.title.length + replacement.body.length : 0;
  }

  async run(
    transaction: Transaction,
    items: readonly RequestedChange[],
  ): Promise<(Outcome<Changed> | undefined)[]> {
    if (items.length === 1) {
      const current = await this.repository.findForUpdate(transaction, items[0]!.id);
      if (!current) return [{ refused: new PostNotFound(items[0]!.id) }];
      return this.#make(transaction, items, new Map([[current.id, current]]));
    }
    const ids = items.map(({ id }) => id);
    const posts = await this.repository.findUnlockedForUpdate(transaction, ids);
    // Posts that do not exist, that another transaction has locked, and those with large bodies run alone.
    return this.#make(transaction, items, new Map(posts.filter(hasBody).map((post) => [post.id, post])));
  }

  async #make(
    transaction: Transaction,
    items: readonly RequestedChange[],
    posts: ReadonlyMap<number, Post>,
  ): Promise<(Outcome<Changed> | undefined)[]> {
    const decided = items.map((item) => {
      const current = posts.get(item.id);
      return current && decide(item, current);
    });
    const changes = decided.flatMap((each) => (each && 'change' in each ? [each.change] : []));
    const { replaced } = await this.repository.change(transaction, changes);
    return decided.map((each) =>
      each && 'change' in each ? { result: replaced.then((byId) => byId.get(each.change.before!.id)) } : each,
    );
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
  const content = { ...replacement, pubDate: replacement.pubDate ?? before.pubDate };
  if (hasSameContent(content, before)) return { result: before };
  const after = { ...content, id: before.id, version: before.version + 1 };
  return { change: { action: 'changed', author, before, after } };
}
