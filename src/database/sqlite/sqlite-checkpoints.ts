import { SqliteConnection } from './sqlite-connection.js';

/**
 * A page that changed several times in this time is written back once: measured, an import writes a fifth to a quarter
 * less than with SQLite's default, a checkpoint at every 1,000 pages.
 */
const INTERVAL_MS = 1_000;

/**
 * Runs checkpoints (copies the log to the database) on a separate connection, in parallel with the writer. By default,
 * SQLite does this within the COMMIT that makes the log long enough, which takes that COMMIT 100 ms.
 *
 * The log is reset only when all of it was copied, and a busy writer has made it longer by then. So a second, much
 * shorter checkpoint copies the rest between two transactions.
 */
export class SqliteCheckpoints {
  #lastAt = performance.now();
  #running: Promise<void> | undefined;
  #hasRest = false;
  #isClosed = false;

  private constructor(
    private readonly connection: SqliteConnection,
    private readonly intervalMs: number,
  ) {}

  /** The writing connection must not run checkpoints itself: `PRAGMA wal_autocheckpoint = 0`. */
  static async open(path: string, intervalMs = INTERVAL_MS): Promise<SqliteCheckpoints> {
    return new SqliteCheckpoints(await SqliteConnection.open(path), intervalMs);
  }

  /** Call it after each transaction and await it before the next one. It rarely has to wait. */
  readonly betweenTransactions = async (): Promise<void> => {
    if (this.#isClosed || this.#running) return;
    if (this.#hasRest) {
      this.#hasRest = false;
      await this.#writeBack();
    } else if (performance.now() - this.#lastAt >= this.intervalMs) {
      this.#running = this.#writeBack().then(() => {
        this.#running = undefined;
        this.#hasRest = true;
      });
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.connection.close();
  }

  /**
   * Copies all pages that no reader still needs in their old state. A fault is ignored: the log has all data, and the
   * next checkpoint tries again.
   */
  async #writeBack(): Promise<void> {
    await this.connection.query('PRAGMA wal_checkpoint(PASSIVE)').catch(() => undefined);
    this.#lastAt = performance.now();
  }
}
