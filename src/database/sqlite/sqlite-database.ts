import { rm, writeFile } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { CompiledQuery } from '../compiled-query.js';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import type { DatabaseActivity, WriteRefusal } from '../database-activity.js';
import { Database, type Queryable, type Work } from '../database.js';
import { sqliteDialect } from '../dialect.js';
import { DatabaseReader } from '../entity-manager.js';
import { type SnapshotConnection, Snapshots } from '../snapshots.js';
import { SqliteConnection, sqliteFault, SqliteHandle } from './sqlite-connection.js';
import { giveToOwner, serviceUrlFile, SqliteDataSource } from './sqlite-data-source.js';
import { SqliteWriter } from './sqlite-writer.js';
import { SqliteCheckpoints, WalIndex } from './write-ahead-log.js';

/** TypeORM's query builder cannot write a query without a table. */
const PING = CompiledQuery.fromText('SELECT 1');

/** Each holds a connection and some MiB of cache, and prevents the reset of the write-ahead log. */
const MAX_SNAPSHOTS = 16;

/** One SQLite file in WAL mode: one connection writes, behind a queue, and one reads committed data. */
export class SqliteDatabase extends Database {
  readonly dialect = sqliteDialect;
  readonly reader: Queryable;
  readonly #sources: readonly SqliteDataSource[];
  readonly activity: DatabaseActivity;
  readonly #writer: SqliteWriter;
  protected readonly snapshots: Snapshots;
  /** Undefined in a command, which may run beside a service. */
  #urlFile: string | undefined;

  private constructor(
    writer: SqliteDataSource,
    reader: SqliteDataSource,
    private readonly path: string,
    private readonly walIndex: WalIndex,
    private readonly checkpoints: SqliteCheckpoints,
  ) {
    super();
    this.reader = new DatabaseReader(writer, reader.sqlite);
    this.#sources = [reader, writer];
    this.#writer = new SqliteWriter(writer, writer.sqlite, checkpoints);
    this.snapshots = new Snapshots(writer, MAX_SNAPSHOTS, () => beginSqliteSnapshot(path));
    this.activity = {
      reads: reader.sqlite.stopwatch,
      writes: this.#writer.stopwatch,
      waitingWrites: () => this.#writer.waiting,
    };
  }

  /** @param writer an initialised data source on a migrated file */
  static async open(writer: SqliteDataSource): Promise<SqliteDatabase> {
    const path = writer.options.database as string;
    await writer.sqlite.execute('PRAGMA wal_autocheckpoint = 0');
    const reader = await openReader(writer);
    const walIndex = new WalIndex(path);
    return new SqliteDatabase(writer, reader, path, walIndex, await SqliteCheckpoints.open(path, walIndex));
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.writeInBackground(work);
  }

  changeToken(): number | undefined {
    return this.walIndex.read();
  }

  async ping(): Promise<WriteRefusal | undefined> {
    await this.reader.all(PING);
    return this.#writer.stopwatch.refusal;
  }

  override async noteServiceUrl(url: string): Promise<void> {
    this.#urlFile = serviceUrlFile(this.path);
    try {
      await writeFile(this.#urlFile, url);
      await giveToOwner(this.#urlFile, this.path);
    } catch {
      // On a full disk, the service still starts, for reads.
    }
  }

  /**
   * Closes the data sources on the file, including the writer's. The WAL-index is last, because closing it drops their
   * locks.
   */
  async close(): Promise<void> {
    await this.#writer.idle();
    if (this.#urlFile !== undefined) await rm(this.#urlFile, { force: true });
    await this.checkpoints.close();
    for (const source of this.#sources) if (source.isInitialized) await source.destroy();
    this.walIndex.close();
  }
}

async function openReader(writer: SqliteDataSource): Promise<SqliteDataSource> {
  const options = { ...writer.options, migrations: [], entities: [] };
  const reader = await new SqliteDataSource(options).initialize();
  await reader.sqlite.execute('PRAGMA query_only = ON');
  return reader;
}

/** An interrupt does not affect a statement that has not begun, so it is repeated until all have ended. */
const INTERRUPT_INTERVAL_MS = 20;

/**
 * Begins a read transaction on its own connection: a connection has one transaction, and the shared reader must stay
 * available. It takes less than a millisecond.
 */
async function beginSqliteSnapshot(path: string): Promise<SnapshotConnection> {
  const handle = await SqliteHandle.open(path, sqlite3.OPEN_READONLY).catch((error: Error) => {
    throw sqliteFault(error);
  });
  const { database } = handle;
  database.configure('busyTimeout', BUSY_TIMEOUT_MS);
  const connection = new SqliteConnection(database);
  /** Ends the transaction after the running statements. */
  const close = async (): Promise<void> => {
    database.interrupt();
    const timer = setInterval(() => database.interrupt(), INTERRUPT_INTERVAL_MS);
    await connection.finalize();
    clearInterval(timer);
    await handle.close();
  };
  try {
    // The first read fixes the visible state; BEGIN alone does not.
    for (const sql of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.execute(sql);
  } catch (error) {
    await close();
    throw error;
  }
  return { all: (query, values) => connection.all(query, values), close };
}
