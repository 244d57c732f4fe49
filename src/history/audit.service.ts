import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Transaction } from '../database/database.js';
import { LOGGER } from '../logging/logger.js';
import { PostListeners } from '../posts/writes/post-listeners.js';
import { type AuditEntry, PostHistoryRepository } from './post-history.repository.js';

/** Equal entries within this time become one entry with a count. */
const WINDOW_MS = 3_600_000;
/** The maximum number of entries per action within this time. All further ones become one entry without details. */
const MAX_ENTRIES = 50;

interface Counted {
  id?: number;
  unwritten: number;
  isBeingWritten?: boolean;
}

/** Writes entries of the change log that are not about a single post: log-ins, accounts, tokens, exports. */
@Injectable()
export class AuditService implements OnModuleDestroy {
  /** The entries that are counted in the current window, by their content. */
  #counted = new Map<string, Counted>();
  #window = 0;
  readonly #writing = new Set<Promise<void>>();

  constructor(
    private readonly history: PostHistoryRepository,
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
  record(transaction: Transaction, entry: AuditEntry): Promise<number> {
    return this.history.insertEntry(transaction, entry);
  }

  /** Records an entry in a transaction of its own. */
  async recordAlone(entry: AuditEntry): Promise<void> {
    await this.history.insertOrAdd(undefined, { count: 1, ...entry });
  }

  add(transaction: Transaction, id: number, count: number): Promise<void> {
    return this.history.addToCount(transaction, id, count);
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
    const { counted, shown } = this.#find(entry);
    counted.unwritten += 1;
    if (counted.isBeingWritten) return;
    const writing = this.#write(counted, shown).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  /** Completes the writes before the database is closed. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #find(entry: AuditEntry): { counted: Counted; shown: AuditEntry } {
    const { action, author, subject, detail } = entry;
    const keyOf = (parts: readonly unknown[]): string => JSON.stringify([action, ...parts]);
    const key = keyOf([author.kind, author.name, author.address, subject, detail]);
    const found = this.#counted.get(key);
    if (found) return { counted: found, shown: entry };
    const others = [...this.#counted.keys()].filter((each) => each.startsWith(keyOf([]).slice(0, -1)));
    const isFull = others.length >= MAX_ENTRIES;
    const ofRest = isFull ? this.#counted.get(keyOf([])) : undefined;
    const counted = ofRest ?? { unwritten: 0 };
    if (!ofRest) this.#counted.set(isFull ? keyOf([]) : key, counted);
    return { counted, shown: isFull ? { action, author: { kind: author.kind, name: undefined } } : entry };
  }

  /** Actions that arrive during a write are written together in the next one. */
  async #write(counted: Counted, entry: AuditEntry): Promise<void> {
    counted.isBeingWritten = true;
    while (counted.unwritten > 0) {
      const count = counted.unwritten;
      counted.unwritten = 0;
      try {
        counted.id = await this.history.insertOrAdd(counted.id, { ...entry, count });
      } catch (error) {
        this.logger.warn({ err: error, action: entry.action, count }, 'An entry of the change log was lost.');
      }
    }
    counted.isBeingWritten = false;
  }
}
