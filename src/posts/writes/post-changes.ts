import { Injectable } from '@nestjs/common';
import { Database, MAX_WAITING_WRITES, type Transaction } from '../../database/database.js';
import type { Preconditions } from '../../http/protocol/preconditions.js';
import type { Author } from '../../http/request/author.js';
import { Batches } from '../batches.js';
import type { PostReplacement } from '../dto/post.dto.js';
import { PostNotFound } from '../post-id.js';
import { assertMet } from '../post-validators.js';
import { hasSameContent, type Post } from '../post.entity.js';
import type { WithLargeBody } from '../posts.repository.js';
import { type ContentChange, hasBody, PostWritesRepository } from './post-writes.repository.js';

/** A replacement or a deletion as a client requests it. */
interface RequestedChange {
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
  readonly #batches: Batches<RequestedChange, Changed>;

  constructor(
    private readonly repository: PostWritesRepository,
    { dialect }: Database,
  ) {
    this.#batches = new Batches({
      maxRunning: dialect.concurrentWrites,
      maxWaiting: MAX_WAITING_WRITES,
      keyOf: ({ id }) => id,
      lengthOf: ({ replacement }) => (replacement ? replacement.title.length + replacement.body.length : 0),
      together: (requested) => this.#makeTogether(requested),
      alone: (requested) => this.#makeAlone(requested),
    });
  }

  /** @throws as {@link PostsService.replace} does */
  async replace(
    id: number,
    replacement: PostReplacement,
    preconditions: Preconditions,
    author: Author,
  ): Promise<Post> {
    return (await this.#batches.add({ id, replacement, preconditions, author }))!;
  }

  /** @throws as {@link PostsService.replace} does */
  async delete(id: number, preconditions: Preconditions, author: Author): Promise<void> {
    await this.#batches.add({ id, replacement: undefined, preconditions, author });
  }

  /** Leaves out posts that do not exist, that another transaction has locked, and those with large bodies. */
  async #makeTogether(requested: readonly RequestedChange[]): Promise<((() => Changed) | undefined)[]> {
    const ids = requested.map(({ id }) => id);
    const conclude = await this.repository.transaction(async (transaction) => {
      const posts = await this.repository.findUnlockedForUpdate(transaction, ids);
      const byId = new Map(posts.map((post) => [post.id, post]));
      return this.#make(
        transaction,
        requested.map((each) => ({ each, current: byId.get(each.id) })),
      );
    });
    return conclude();
  }

  async #makeAlone(requested: RequestedChange): Promise<Changed> {
    const conclude = await this.repository.transaction(async (transaction) => {
      const current = await this.repository.findForUpdate(transaction, requested.id);
      if (!current) throw new PostNotFound(requested.id);
      return this.#make(transaction, [{ each: requested, current }]);
    });
    const [outcome] = await conclude();
    return outcome!();
  }

  /** @returns a function that gives the outcomes after the commit */
  async #make(
    transaction: Transaction,
    requested: readonly { readonly each: RequestedChange; readonly current: WithLargeBody | undefined }[],
  ): Promise<() => Promise<((() => Changed) | undefined)[]>> {
    const changes: ContentChange[] = [];
    const outcomes = requested.map(({ each, current }) => {
      if (!current || !hasBody(current)) return undefined;
      try {
        const change = changeOf(each, current);
        if (!change) return () => current;
        changes.push(change);
        return change;
      } catch (refusal) {
        return () => {
          throw refusal;
        };
      }
    });
    const updated = await this.repository.change(transaction, changes);
    return async () => {
      const posts = await updated();
      return outcomes.map((outcome) =>
        typeof outcome === 'object' ? () => posts.get(outcome.before.id) : outcome,
      );
    };
  }
}

/** @returns undefined when nothing would change @throws PreconditionFailed, InvalidRequest */
function changeOf(
  { replacement, preconditions, author }: RequestedChange,
  before: Post,
): ContentChange | undefined {
  assertMet(preconditions, before);
  if (!replacement) return { before, after: undefined, author };
  const after = { ...replacement, pubDate: replacement.pubDate ?? before.pubDate };
  return hasSameContent(after, before) ? undefined : { before, after, author };
}
