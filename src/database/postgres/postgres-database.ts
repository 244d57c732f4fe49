import { setTimeout as sleep } from 'node:timers/promises';
import { Stopwatch, WaitTimes, type WriteRefusal } from '../database-activity.js';
import { DatabaseFault } from '../database-fault.js';
import { Database, MAX_WAITING_READS, MAX_WAITING_WRITES } from '../database.js';
import { type Client, ClientQuota } from '../../limits/index.js';
import { postgresDialect } from '../dialect.js';
import { type Sql, sql, type SqlValues } from '../sql.js';
import { DatabaseReader, type Queryable, type DatabaseConnection, type Work } from '../transaction.js';
import { PipelinedTransaction } from './pipelined-transaction.js';
import type { PostgresDataSource } from './postgres-data-source.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';

/** TypeORM's query builder cannot write a query without a table. */
const PING = sql<{ isReadOnly: boolean }>`
  SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly"
`;

const SIZE = sql<{ bytes: number }>`SELECT pg_database_size(current_database()) AS "bytes"`;

/** backup-postgres.sh notes its time as a comment, for which it needs no table of its own. */
const LAST_BACKUP = sql<{ at: number | null }>`
  SELECT extract(epoch FROM substring(obj_description('migrations'::regclass, 'pg_class') FROM 'Last backup: (.*)')::timestamptz)::float8 AS at
`;

/** Reads that are short and named after no client: together, they have as many connections as one client. */
const OTHER_READS: Client = { name: 'other reads' };

/** How long an import waits while others store their posts. A request does not last longer. */
const MAX_LONG_WAIT_MS = 3_600_000;

/** How long a read waits while other reads of its client run. */
const MAX_READ_WAIT_MS = 6_000;

/** How long a single write waits while other writes of its client run. */
const MAX_WAIT_MS = 10_000;

/** A broken connection is noticed at its next use; the second attempt opens a new one. */
const MAX_READ_ATTEMPTS = 2;
const MAX_WRITE_ATTEMPTS = 4;
/** Spreads the retries, so that the conflicting transactions do not collide again at once. */
const MAX_PAUSE_MS = 50;

/**
 * The settings of a snapshot:
 * - The HTTP server disconnects a client that reads nothing for 150 s.
 * - `client_connection_check_interval` (PostgreSQL 14 or newer, but not on Windows) ends the statement of a connection that
 *   was closed; other servers end it at the statement timeout.
 * - Its statements are slow, and worth a plan for their values: PostgreSQL knows how common a word is.
 * - `work_mem` is a limit, not a reservation: up to four million matches of a search are hashed, at some 80 bytes each.
 *   Beyond it, PostgreSQL would compare each post with all matches; the default of 4 MB is exceeded by 130,000 of them.
 * - A statement uses one core and one hash table of the matches: each parallel worker would make its own, so a count took
 *   twice as long with two of them on a busy server, and the memory three times.
 */
const CONFIGURE_SNAPSHOT = sql`
  SELECT set_config('idle_in_transaction_session_timeout', '150000', true),
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('work_mem', '128MB', true),
    set_config('max_parallel_workers_per_gather', '0', true),
    CASE WHEN current_setting('client_connection_check_interval', true) IS NOT NULL AND version() !~* 'visual|mingw'
      THEN set_config('client_connection_check_interval', '500', true) END
`;

/**
 * A PostgreSQL server, which any number of instances of the service can share.
 *
 * READ COMMITTED is enough for compare-and-set: a write locks the row of the post before it reads its version. A
 * stricter level would only add serialization failures.
 */
export class PostgresDatabase extends Database {
  readonly dialect = postgresDialect;
  readonly reader: Queryable;
  readonly reads = new Stopwatch();
  override readonly connectionWaits = new WaitTimes();
  readonly maxSnapshots: number;
  protected override readonly clientReads: ClientQuota;
  protected override readonly singleWrites: ClientQuota;
  protected override readonly longWrites: ClientQuota;

  /** @param dataSource initialised, on a migrated database */
  constructor(protected override readonly dataSource: PostgresDataSource) {
    // More batches would only wait for the same disk.
    super(dataSource, { maxBatches: 2 });
    const { max: poolSize } = dataSource.poolOptions;
    // A snapshot holds its connection for a long time, so snapshots get at most half of the pool.
    this.maxSnapshots = Math.floor(poolSize / 2);
    this.clientReads = new ClientQuota(poolSize, MAX_READ_WAIT_MS, MAX_WAITING_READS);
    // An import holds its connection for a long time, too.
    const maxLong = Math.max(1, Math.floor(poolSize / 4));
    this.longWrites = new ClientQuota(maxLong, MAX_LONG_WAIT_MS, MAX_WAITING_WRITES);
    this.singleWrites = new ClientQuota(poolSize, MAX_WAIT_MS, MAX_WAITING_WRITES);
    this.reader = new DatabaseReader(dataSource, {
      // Those of TypeORM are reads of the administration, of keys and of tokens.
      all: (query, values) =>
        query.values ? this.readFor(OTHER_READS, query, values) : this.read(query, values),
    });
  }

  override get connections(): { idle: number; busy: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.dataSource.pool;
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
  }

  /** Each query uses its own connection. A read is safe to repeat. */
  protected async read<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    const startedAt = performance.now();
    try {
      return await repeated(MAX_READ_ATTEMPTS, async () => {
        const connection = await this.#acquire();
        return connection.all(query, values).finally(() => connection.release());
      });
    } finally {
      this.reads.stop(startedAt);
    }
  }

  protected commit<Result>(work: Work<Result>): Promise<Result> {
    return repeated(MAX_WRITE_ATTEMPTS, async () => {
      const connection = await this.#acquire();
      const startedAt = performance.now();
      const transaction = new PipelinedTransaction(this.dataSource, connection);
      try {
        connection.begin('transaction');
        const result = await transaction.complete(work);
        await connection.commit();
        await transaction.received();
        if (transaction.hasWritten) this.writes.transactions.stop(startedAt);
        transaction.announceCommit(this.onListenerFault);
        return result;
      } catch (error) {
        await connection.rollback();
        if (error instanceof DatabaseFault && error.kind === 'unconfirmed')
          transaction.announceCommit(this.onListenerFault);
        throw error;
      } finally {
        connection.release();
      }
    });
  }

  /** Begins a read-only transaction that sees one state of the database for the duration of a stream. */
  protected async beginSnapshot(): Promise<DatabaseConnection> {
    const connection = await this.#acquire();
    try {
      connection.begin('snapshot');
      await connection.all(CONFIGURE_SNAPSHOT);
      return connection;
    } catch (error) {
      // The BEGIN may have run, unlike the statement after it.
      await connection.abort();
      throw error;
    }
  }

  /** @throws PostgresFault when no connection is free or can be opened within the configured time */
  async #acquire(): Promise<PostgresConnection> {
    const { pool, poolOptions, isPooled } = this.dataSource;
    const startedAt = performance.now();
    try {
      return new PostgresConnection(await pool.connect(), poolOptions.statement_timeout, isPooled);
    } catch (error) {
      throw postgresFault(error);
    } finally {
      this.connectionWaits.stop(startedAt);
    }
  }

  async sizes(): Promise<Record<string, number>> {
    const [row] = await this.reader.all(SIZE).catch(() => []);
    return row ? { database: row.bytes } : {};
  }

  async lastBackup(): Promise<number> {
    const [row] = await this.reader.all(LAST_BACKUP).catch(() => []);
    return row?.at ?? 0;
  }

  async ping(): Promise<WriteRefusal | undefined> {
    const [row] = await this.reader.all(PING);
    if (row!.isReadOnly) return 'read-only';
    // The server says whether it is read-only now; whether its disk is full is known from writes only.
    return this.writes.refusal === 'full' ? 'full' : undefined;
  }
}

/** Tries again after a transient fault, which means that nothing was committed. A commit without a response is not transient. */
async function repeated<Result>(maxAttempts: number, run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const isWorthAnother = error instanceof PostgresFault && error.isTransient;
      if (!isWorthAnother || attempt === maxAttempts) throw error;
      await sleep(Math.random() * MAX_PAUSE_MS * attempt);
    }
  }
}
