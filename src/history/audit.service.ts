import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database, type Transaction } from '../database/index.js';
import type { Client } from '../limits/index.js';
import { workWhileAllowed } from '../users/permissions.js';
import type { Author } from '../users/user.js';
import { LOGGER } from '../logging/logger.js';
import { toPubDate } from '../posts/pub-date.js';
import { PostListeners } from '../posts/writes/post-changes.js';
import { type ChangeAction, PostRevision, revisionRow, type RevisionRow } from './post-revision.entity.js';
import { RARE_ACTION } from './revision-queries.js';

/** Equal actions within this time of the first one become one entry with a count. */
const WINDOW_MS = 3_600_000;
/** After this many entries for one action within this time, all further ones become one entry without details. */
const MAX_ENTRIES = 50;

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

/** Writes entries of the change log that are not about a single post: log-ins, accounts, tokens, exports. */
@Injectable()
export class AuditService implements OnModuleDestroy {
  /** The writes of {@link count}, one after another. */
  #counting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    listeners: PostListeners,
  ) {
    listeners.add({
      // Clients of the API may read all posts at any time.
      onExport: (author, detail) => {
        if (author.kind !== 'api') this.count({ action: 'exported', author, detail });
      },
    });
  }

  /** Records an entry in the transaction of its action. @returns its id */
  async record({ manager }: Transaction, entry: AuditEntry): Promise<number> {
    const { identifiers } = await manager.insert(PostRevision, rowOf(entry));
    return (identifiers[0] as PostRevision).id;
  }

  /**
   * Records an entry in a transaction of its own.
   *
   * @param client who causes it
   * @returns its id
   * @throws TokenUnknown when the session of its author has ended
   */
  recordAlone(entry: AuditEntry, client: Client): Promise<number> {
    const record = (transaction: Transaction): Promise<number> => this.record(transaction, entry);
    return this.database.write(workWhileAllowed(entry.author, 'viewer', record), client);
  }

  /** Adds to the count of an entry. */
  async add({ manager }: Transaction, id: number, count: number): Promise<void> {
    await manager.increment(PostRevision, { id }, 'count', count);
  }

  /**
   * Counts an action that a client can repeat at will, such as a refused log-in. Equal actions become one entry with a
   * count, and the number of entries is limited, so that they do not fill the disk. The caller does not wait for the
   * write.
   */
  count(entry: AuditEntry): void {
    const { action } = entry;
    this.#counting = this.#counting
      .then(() => this.database.write((transaction) => this.#count(transaction, entry)))
      .catch((error: unknown) =>
        this.logger.warn({ err: error, action }, 'An entry of the change log was lost.'),
      );
  }

  /** Completes the writes before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await this.#counting;
  }

  async #count(transaction: Transaction, entry: AuditEntry): Promise<void> {
    const { action, author } = entry;
    const latest = await transaction.manager
      .createQueryBuilder(PostRevision, 'change')
      .where('change.action = :action AND change.partOf IS NULL', { action })
      .andWhere(RARE_ACTION)
      .orderBy('change.id', 'DESC')
      .limit(MAX_ENTRIES)
      .getMany();
    const start = toPubDate(Date.now() - WINDOW_MS);
    const recent = latest.filter(({ at }) => at >= start);
    const isFull = recent.length === MAX_ENTRIES;
    const withoutDetails = { action, author: { kind: author.kind, name: undefined } };
    const known =
      recent.find((row) => isEntry(row, entry)) ??
      (isFull && recent.find((row) => isEntry(row, withoutDetails)));
    if (known) await this.add(transaction, known.id, 1);
    else await this.record(transaction, isFull ? withoutDetails : entry);
  }
}

/** The row of an entry that is not about a single post. */
function rowOf({ action, author, subject, detail, count }: AuditEntry): RevisionRow {
  const row = revisionRow(action, author, 0, 0);
  return { ...row, subject: subject ?? null, detail: detail ?? null, count: count ?? 1 };
}

const DETAILS = ['action', 'authorKind', 'authorName', 'address', 'subject', 'detail'] as const;

/** Whether the row is an entry of the same action, with the same details. */
function isEntry(row: PostRevision, entry: AuditEntry): boolean {
  const other = rowOf(entry);
  return DETAILS.every((name) => row[name] === other[name]);
}
