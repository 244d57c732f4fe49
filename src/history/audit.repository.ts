import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Insertion } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import { type ChangeAction, PostRevision } from './post-revision.entity.js';

/** An entry of the change log that is not about a single post. It never contains a secret. */
export interface AuditEntry {
  readonly action: ChangeAction;
  readonly author: Author;
  /** The account or the token that the entry is about. */
  readonly subject?: string | undefined;
  readonly detail?: string | undefined;
  /** The number of occurrences, or of changed posts; 1 by default. */
  readonly count?: number;
}

/** Writes the entries of the change log that are not about a single post. */
@Injectable()
export class AuditRepository {
  readonly #insertion: Insertion<Omit<PostRevision, 'id'>>;

  constructor(private readonly database: Database) {
    this.#insertion = new Insertion(database, PostRevision, { returning: '"id"' });
  }

  /** @returns the id of the entry */
  async insert(
    transaction: Transaction,
    { action, author, subject, detail, count = 1 }: AuditEntry,
  ): Promise<number> {
    const [row] = await this.#insertion.run<{ id: number }>(transaction, [
      {
        ...NO_POST,
        action,
        at: nowAsPubDate(),
        authorKind: author.kind,
        authorName: author.name ?? null,
        address: author.address ?? null,
        subject: subject ?? null,
        detail: detail ?? null,
        count,
      },
    ]);
    return row!.id;
  }

  /** Adds to the count of an entry. */
  async add({ manager }: Transaction, id: number, count: number): Promise<void> {
    await manager.increment(PostRevision, { id }, 'count', count);
  }

  /** @returns the id of the entry */
  insertOrAdd(id: number | undefined, entry: AuditEntry & { readonly count: number }): Promise<number> {
    return this.database.write(async (transaction) => {
      if (id === undefined) return this.insert(transaction, entry);
      await this.add(transaction, id, entry.count);
      return id;
    });
  }
}

const NO_POST = {
  postId: 0,
  lastPostId: 0,
  number: 0,
  oldTitle: null,
  oldPubDate: null,
  oldBody: null,
  partOf: null,
} as const;
