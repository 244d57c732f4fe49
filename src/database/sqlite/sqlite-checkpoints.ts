import { SqliteHandle } from './sqlite-handle.js';
import type { WalIndex } from './wal-index.js';

/**
 * How many pages of changes, 16 MiB, are written back at a time. What was changed more than once meanwhile is written back
 * once: measured, an import writes a fifth to a quarter less than with SQLite's default, 1,000.
 */
const PAGES = 4_000;

/**
 * Writes what the log holds back to the database, beside the writer, by a connection of its own. (SQLite's own way is to do
 * it within the COMMIT that makes the log long enough, and whoever waits for that one waits for 100 ms.)
 *
 * The log begins anew only when all of it was written back, and a busy writer has made it longer by then. So the rest, much
 * less, is written back a second time, between two transactions.
 */
export class SqliteCheckpoints {
  /** As of the last time. */
  #pagesBefore = 0;
  #running: Promise<void> | undefined;
  #hasRest = false;
  #isClosed = false;

  private constructor(
    private readonly handle: SqliteHandle,
    private readonly walIndex: WalIndex,
  ) {}

  /** The connection that writes is to do nothing of the kind itself: `PRAGMA wal_autocheckpoint = 0`. */
  static async open(path: string, walIndex: WalIndex): Promise<SqliteCheckpoints> {
    return new SqliteCheckpoints(await SqliteHandle.open(path), walIndex);
  }

  /** To be called after each transaction. The next one waits for it, which is seldom for anything. */
  async betweenTransactions(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#hasRest) {
      await this.#writeBack();
      this.#hasRest = false;
    } else if (!this.#running && this.#isDue()) {
      this.#running = this.#writeBack().then(() => {
        this.#running = undefined;
        this.#hasRest = true;
      });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.handle.close();
  }

  #isDue(): boolean {
    const pages = this.walIndex.logPages;
    if (pages < this.#pagesBefore) this.#pagesBefore = 0;
    return pages >= this.#pagesBefore + PAGES;
  }

  /** As much as no reader needs in its old state. A fault is nobody's: all is in the log, and the next time comes. */
  async #writeBack(): Promise<void> {
    await this.handle.all('PRAGMA wal_checkpoint(PASSIVE)').catch(() => undefined);
    this.#pagesBefore = this.walIndex.logPages;
  }
}
