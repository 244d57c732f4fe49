import { Injectable } from '@nestjs/common';
import type { Author } from '../../http/author.js';
import { sortKeyOf, type SortKeyValues } from '../post-ordering.js';
import type { PostFilter } from '../post-selection.js';
import { PostsRepository } from '../posts.repository.js';
import { CountHasChanged } from './bulk.problems.js';

/** Some 20 ms of work for SQLite: others wait for no more than that. */
const BATCH_ROWS = 200;
/** How many of the deleted posts are named in the end, so that it can be undone. */
const MAX_NAMED_IDS = 1_000;

/** Which posts are to be deleted: those with these ids, or all that match a filter, if they are as many as somebody saw. */
export type BulkSelection =
  { readonly ids: readonly number[] } | { readonly filter: PostFilter; readonly count: number };

export interface BulkProgress {
  readonly deleted: number;
  readonly total: number;
  /** With the last of them: the ids that are gone, or the first thousand. */
  readonly ids?: readonly number[];
}

/** The version of a post that is to be deleted; undefined: whichever. */
type Meant = ReadonlyMap<number, number | undefined>;

/** A deletion of many posts that is about to begin. */
export interface BulkDeletion {
  /** Deletes batch by batch, each in a transaction of its own, as long as somebody takes what it tells. */
  run(): AsyncGenerator<BulkProgress>;
}

/** Deletes many posts so that others read and write meanwhile. */
@Injectable()
export class BulkDeletionsService {
  constructor(private readonly posts: PostsRepository) {}

  /**
   * Nothing is deleted before it runs. Posts that are made meanwhile are not deleted, nor those that somebody changes
   * between the moment they are looked at and their turn.
   *
   * @throws CountHasChanged
   */
  async prepare(selection: BulkSelection, author: Author): Promise<BulkDeletion> {
    if ('ids' in selection) {
      const { ids } = selection;
      return { run: () => this.#run(this.#batchesOf(ids), ids.length, author) };
    }
    const { filter, count } = selection;
    const lastId = await this.posts.findLastId();
    const total = await this.posts.count(filter);
    if (total !== count) throw new CountHasChanged(count, total);
    return { run: () => this.#run(this.#matches({ ...filter, lastId }), total, author) };
  }

  async *#run(
    batches: AsyncIterable<Meant> | Iterable<Meant>,
    total: number,
    author: Author,
  ): AsyncGenerator<BulkProgress> {
    const named: number[] = [];
    let deleted = 0;
    for await (const batch of batches) {
      const gone = await this.#delete(batch, author);
      deleted += gone.length;
      named.push(...gone.slice(0, MAX_NAMED_IDS - named.length));
      yield { deleted, total };
    }
    yield { deleted, total, ids: named };
  }

  async #delete(batch: Meant, author: Author): Promise<number[]> {
    const isMeant = ({ id, version }: { id: number; version: number }): boolean =>
      (batch.get(id) ?? version) === version;
    const { deleted, large } = await this.posts.transaction((transaction) =>
      this.posts.deleteAll(transaction, [...batch.keys()], author, isMeant),
    );
    const gone = [...deleted];
    for (const id of large) {
      const isGone = await this.posts.transaction(async (transaction) => {
        const post = await this.posts.findForUpdate(transaction, id);
        return post !== undefined && isMeant(post) && this.posts.delete(transaction, post, author);
      });
      if (isGone) gone.push(id);
    }
    return gone;
  }

  *#batchesOf(ids: readonly number[]): Generator<Meant> {
    for (let start = 0; start < ids.length; start += BATCH_ROWS) {
      yield new Map(ids.slice(start, start + BATCH_ROWS).map((id) => [id, undefined]));
    }
  }

  async *#matches(filter: PostFilter): AsyncGenerator<Meant> {
    for (let after: SortKeyValues | undefined; ;) {
      const posts = await this.posts.findPage({
        filter,
        ordering: 'id',
        backwards: false,
        after,
        offset: 0,
        rows: BATCH_ROWS,
        fields: ['id'],
      });
      if (posts.length > 0) yield new Map(posts.map(({ id, version }) => [id!, version!]));
      if (posts.length < BATCH_ROWS) return;
      after = sortKeyOf(posts.at(-1)!, 'id');
    }
  }
}
