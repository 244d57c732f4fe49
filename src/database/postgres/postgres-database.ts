import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Stopwatch, WriteRefusal } from '../database-activity.js';
import { Database } from '../database.js';
import { postgresDialect } from '../dialect.js';
import { sql } from '../sql.js';
import {
  DatabaseReader,
  type Queryable,
  type DatabaseConnection,
  Transaction,
  type Work,
} from '../transaction.js';
import type { PostgresSettings } from './pool-options.js';
import type { PostgresDataSource } from './postgres-data-source.js';
import { PostgresFault } from './postgres-fault.js';
import { PostgresPool } from './postgres-pool.js';

/** TypeORM's query builder cannot write a query without a table. */
const PING = sql<{
  isReadOnly: boolean;
}>`SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

const MAX_ATTEMPTS = 4;
/** Spreads the retries, so that the conflicting transactions do not collide again at once. */
const MAX_PAUSE_MS = 50;

/** The HTTP server disconnects a client that reads nothing for this long. */
const IDLE_TIMEOUT_MS = 150_000;

/**
 * A PostgreSQL server, which any number of instances of the service can share.
 *
 * READ COMMITTED is enough for compare-and-set: a write locks the row of the post before it reads its version. A
 * stricter level would only add serialization failures.
 */
export class PostgresDatabase extends Database {
  readonly dialect = postgresDialect;
  readonly reader: Queryable;
  readonly reads: Stopwatch;
  readonly maxSnapshots: number;
  readonly #pool: Pool;
  readonly #connections: PostgresPool;

  /** @param dataSource initialised, on a migrated database */
  constructor(dataSource: PostgresDataSource, settings: PostgresSettings) {
    // More batches would only wait for the same disk.
    super(dataSource, { maxBatches: 2 });
    this.#pool = dataSource.pool;
    this.#connections = new PostgresPool(this.#pool, settings, dataSource.isPooled);
    // A snapshot holds its connection for a long time, so snapshots get at most half of the pool.
    this.maxSnapshots = Math.floor(settings.poolSize / 2);
    this.reader = new DatabaseReader(dataSource, this.#connections);
    this.reads = this.#connections.stopwatch;
  }

  override get connections(): { idle: number; busy: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  protected async commit<Result>(work: Work<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#commitOnce(work);
      } catch (error) {
        // A transient fault means that nothing was committed. A commit without a response is not transient.
        const isWorthAnother = error instanceof PostgresFault && error.isTransient;
        if (!isWorthAnother || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * MAX_PAUSE_MS * attempt);
      }
    }
  }

  async #commitOnce<Result>(work: Work<Result>): Promise<Result> {
    const connection = await this.#connections.acquire();
    const startedAt = performance.now();
    try {
      connection.begin('transaction');
      const transaction = new Transaction(this.dataSource, connection);
      const result = await transaction.complete(work, () => connection.commit());
      this.writes.transactions.stop(startedAt);
      return result;
    } catch (error) {
      await connection.rollback();
      throw error;
    } finally {
      connection.release();
    }
  }

  /** Begins a read-only transaction that sees one state of the database for the duration of a stream. */
  protected async beginSnapshot(): Promise<DatabaseConnection> {
    const connection = await this.#connections.acquire();
    try {
      connection.begin('snapshot');
      await connection.execute(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
    } catch (error) {
      // The BEGIN may have run, unlike the statement after it.
      await connection.rollback();
      connection.release();
      throw error;
    }
    return connection;
  }

  async ping(): Promise<WriteRefusal | undefined> {
    const [row] = await this.reader.all(PING);
    if (row!.isReadOnly) return 'read-only';
    // The server says whether it is read-only now; whether its disk is full is known from writes only.
    return this.writes.refusal === 'full' ? 'full' : undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
