import { closeSync, openSync, readSync } from 'node:fs';
import { SqliteHandle } from './sqlite-connection.js';

/** The two copies of the header at the start of the WAL-index, 48 bytes each (https://sqlite.org/walformat.html §2.1). */
const HEADER_BYTES = 48;
/** The place of `mxFrame` in it, in numbers of 32 bits as this machine writes them. */
const MX_FRAME = 4;

/**
 * Looks at the header of a database's WAL-index: the shared memory by which SQLite's own connections, in this process
 * and in others, learn of each other's commits. Every commit changes it before it is acknowledged.
 *
 * It costs a read of 96 cached bytes, about a microsecond; `PRAGMA data_version` would tell the same by a trip through
 * sqlite3's thread pool, which takes as long as the read that it might save.
 */
export class WalIndex {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(2 * HEADER_BYTES);
  readonly #first = this.#buffer.subarray(0, HEADER_BYTES);
  readonly #second = this.#buffer.subarray(HEADER_BYTES);
  readonly #last = Buffer.alloc(HEADER_BYTES);
  readonly #numbers = new Uint32Array(this.#last.buffer, this.#last.byteOffset, HEADER_BYTES / 4);
  #changes = 0;

  /** @param path of the database; it must be open in WAL mode, and stay so */
  constructor(path: string) {
    this.#descriptor = openSync(`${path}-shm`, 'r');
  }

  /** A number that is another one after every commit; undefined while the header is written and its copies differ. */
  read(): number | undefined {
    const bytes = readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, 0);
    if (bytes < this.#buffer.length || !this.#first.equals(this.#second)) return undefined;
    if (!this.#first.equals(this.#last)) {
      this.#first.copy(this.#last);
      this.#changes += 1;
    }
    return this.#changes;
  }

  /** How many pages the log holds: one for each that a commit has changed since the log began anew. */
  get logPages(): number {
    this.read();
    return this.#numbers[MX_FRAME]!;
  }

  /**
   * Comes after the database itself is closed: closing a file drops the locks that the whole process has on it, SQLite's
   * own included (https://sqlite.org/howtocorrupt.html §2.2).
   */
  close(): void {
    closeSync(this.#descriptor);
  }
}

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
