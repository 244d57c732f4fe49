import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database, type Transaction } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import { LOGGER } from '../logging/logger.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import { PostListeners } from '../posts/writes/post-listeners.js';
import { type ChangeAction, PostRevision } from './post-revision.entity.js';

/** Equal entries within this time become one entry with a count. */
const WINDOW_MS = 3_600_000;
/** The maximum number of entries per action within this time. All further ones become one entry without details. */
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

interface Counted {
  readonly entry: AuditEntry;
  id?: number;
  unwritten: number;
  isBeingWritten?: boolean;
}

/** Writes entries of the change log that are not about a single post: log-ins, accounts, tokens, exports. */
@Injectable()
export class AuditService implements OnModuleDestroy {
  /** The entries that are counted in the current window, by their action and their content. */
  #counted = new Map<ChangeAction, Map<string, Counted>>();
  #window = 0;
  readonly #writing = new Set<Promise<void>>();

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
  async record({ manager }: Transaction, { author, count = 1, ...entry }: AuditEntry): Promise<number> {
    const { identifiers } = await manager.insert(PostRevision, {
      ...entry,
      postId: 0,
      lastPostId: 0,
      number: 0,
      at: nowAsPubDate(),
      authorKind: author.kind,
      authorName: author.name ?? null,
      address: author.address ?? null,
      count,
    });
    return (identifiers[0] as PostRevision).id;
  }

  /** Records an entry in a transaction of its own. */
  async recordAlone(entry: AuditEntry): Promise<void> {
    await this.database.write((transaction) => this.record(transaction, entry));
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
  count(entry: AuditEntry, now = Date.now()): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) this.#counted = new Map();
    this.#window = window;
    const counted = this.#find(entry);
    counted.unwritten += 1;
    if (counted.isBeingWritten) return;
    const writing = this.#write(counted).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Completes the writes before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #find(entry: AuditEntry): Counted {
    const { action, author, subject, detail } = entry;
    const entries = this.#counted.get(action) ?? new Map<string, Counted>();
    this.#counted.set(action, entries);
    const key = JSON.stringify([author.kind, author.name, author.address, subject, detail]);
    const known = entries.get(key);
    if (known) return known;
    const isFull = entries.size >= MAX_ENTRIES;
    const shown = isFull ? { action, author: { kind: author.kind, name: undefined } } : entry;
    const counted = (isFull && entries.get('')) || { entry: shown, unwritten: 0 };
    entries.set(isFull ? '' : key, counted);
    return counted;
  }

  /** Actions that arrive during a write are written together in the next one. */
  async #write(counted: Counted): Promise<void> {
    const { entry } = counted;
    counted.isBeingWritten = true;
    while (counted.unwritten > 0) {
      const count = counted.unwritten;
      counted.unwritten = 0;
      try {
        counted.id = await this.database.write(async (transaction) => {
          if (counted.id === undefined) return this.record(transaction, { ...entry, count });
          await this.add(transaction, counted.id, count);
          return counted.id;
        });
      } catch (error) {
        this.logger.warn({ err: error, action: entry.action, count }, 'An entry of the change log was lost.');
      }
    }
    counted.isBeingWritten = false;
  }
}
