import { closeSync, openSync, readSync } from 'node:fs';
import { SqliteHandle } from './sqlite-connection.js';

/** The two copies of the header at the start of the WAL-index, 48 bytes each (https://sqlite.org/walformat.html §2.1). */
const HEADER_BYTES = 48;
/** The index of `mxFrame` in the header, in 32-bit numbers of the machine's byte order. */
const MX_FRAME = 4;

/**
 * Reads the header of a database's WAL-index: the shared memory through which SQLite's connections, in all processes,
 * learn of each other's commits. Every commit changes it before it is acknowledged.
 *
 * A read takes about a microsecond for 96 cached bytes. `PRAGMA data_version` returns the same information, but a trip
 * through sqlite3's thread pool takes as long as the query that the check may save.
 */
export class WalIndex {
  readonly #descriptor: number;
  readonly #buffer = Buffer.alloc(2 * HEADER_BYTES);
  readonly #first = this.#buffer.subarray(0, HEADER_BYTES);
  readonly #second = this.#buffer.subarray(HEADER_BYTES);
  readonly #last = Buffer.alloc(HEADER_BYTES);
  readonly #numbers = new Uint32Array(this.#last.buffer, this.#last.byteOffset, HEADER_BYTES / 4);
  #changes = 0;

  /** @param path of the database, which must be open in WAL mode until this is closed */
  constructor(path: string) {
    this.#descriptor = openSync(`${path}-shm`, 'r');
  }

  /** A number that changes with every commit; undefined while the header is being written and its two copies differ. */
  read(): number | undefined {
    const bytes = readSync(this.#descriptor, this.#buffer, 0, this.#buffer.length, 0);
    if (bytes < this.#buffer.length || !this.#first.equals(this.#second)) return undefined;
    if (!this.#first.equals(this.#last)) {
      this.#first.copy(this.#last);
      this.#changes += 1;
    }
    return this.#changes;
  }

  /** How many pages the log contains: one for each page that each commit has changed since the log was last reset. */
  get logPages(): number {
    this.read();
    return this.#numbers[MX_FRAME]!;
  }

  /**
   * Call it after the database is closed. Closing a file drops all locks that the process holds on it, including
   * SQLite's (https://sqlite.org/howtocorrupt.html §2.2).
   */
  close(): void {
    closeSync(this.#descriptor);
  }
}

/**
 * A checkpoint is due after this many pages of changes (16 MiB). A page that changed several times is written back
 * once: measured, an import writes a fifth to a quarter less than with SQLite's default of 1,000.
 */
const PAGES = 4_000;

/**
 * Runs checkpoints (copies the log to the database) on a separate connection, in parallel with the writer. By default,
 * SQLite does this within the COMMIT that makes the log long enough, which takes that COMMIT 100 ms.
 *
 * The log is reset only when all of it was copied, and a busy writer has made it longer by then. So a second, much
 * shorter checkpoint copies the rest between two transactions.
 */
export class SqliteCheckpoints {
  /** The log's size after the last checkpoint. */
  #pagesBefore = 0;
  #running: Promise<void> | undefined;
  #hasRest = false;
  #isClosed = false;

  private constructor(
    private readonly handle: SqliteHandle,
    private readonly walIndex: WalIndex,
  ) {}

  /** The writing connection must not run checkpoints itself: `PRAGMA wal_autocheckpoint = 0`. */
  static async open(path: string, walIndex: WalIndex): Promise<SqliteCheckpoints> {
    return new SqliteCheckpoints(await SqliteHandle.open(path), walIndex);
  }

  /** Call it after each transaction and await it before the next one. It rarely has to wait. */
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

  /**
   * Copies all pages that no reader still needs in their old state. A fault is ignored: the log has all data, and the
   * next checkpoint tries again.
   */
  async #writeBack(): Promise<void> {
    await this.handle.all('PRAGMA wal_checkpoint(PASSIVE)').catch(() => undefined);
    this.#pagesBefore = this.walIndex.logPages;
  }
}
