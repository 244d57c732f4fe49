import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Stopwatch } from '../database-activity.js';
import type { Work } from '../database.js';
import { runWork } from '../run-work.js';
import { PostgresFault } from './postgres-fault.js';
import type { PostgresPool } from './postgres-pool.js';

const MAX_ATTEMPTS = 4;
/** Those that got in each other's way should not meet again at once. */
const MAX_PAUSE_MS = 50;

/**
 * Runs each write in a transaction of its own on the primary.
 *
 * READ COMMITTED: a write locks the post that it is going to change before it looks at its version, so that nothing
 * stricter is needed for compare-and-set, and nobody has to be sent back for having read what has changed since.
 */
export class PostgresWriter {
  /** All writes so far, from when they were asked for until they were settled. */
  readonly stopwatch = new Stopwatch();

  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: PostgresPool,
  ) {}

  async write<Result>(work: Work<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await this.#write(work);
    } finally {
      this.stopwatch.stop(startedAt);
    }
  }

  async #write<Result>(work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#writeOnce(work);
      } catch (error) {
        // A transient fault came before the commit, or instead of it; a commit without a response is not one.
        const isWorthAnother = error instanceof PostgresFault && error.isTransient;
        if (!isWorthAnother || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * MAX_PAUSE_MS * attempt);
      }
    }
  }

  async #writeOnce<Result>(work: Work<Result>): Promise<Result> {
    const connection = await this.pool.acquire();
    try {
      await connection.execute('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await runWork(work, connection, this.dataSource);
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  }
}
