import type { Database, RunResult, Statement } from 'sqlite3';
import sqlite3 from 'sqlite3';
import { QueryResult } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../compiled-query.js';
import { Stopwatch } from '../database-activity.js';
import { DatabaseFault, type DatabaseFaultKind } from '../database-fault.js';
import type { WriterConnection } from '../transaction.js';

/** More than the distinct queries in use at a time. A prepared statement takes some kilobytes. */
const MAX_PREPARED_STATEMENTS = 200;

/** An interrupt does not affect a statement that has not begun, so it is repeated until all have ended. */
const INTERRUPT_INTERVAL_MS = 20;

type Reject = (reason: unknown) => void;

interface PreparedStatement {
  readonly statement: Statement;
  /** Rejects the calls that wait until it is prepared; undefined afterwards. */
  waiting: Reject[] | undefined;
  /** The number of the last call. */
  usedAt: number;
}

/**
 * A connection to a SQLite file, with cached prepared statements. (TypeORM prepares each query again, which takes longer
 * than a read by id.)
 */
export class SqliteConnection implements WriterConnection {
  // The driver runs statements that it gets together in any order.
  readonly isPipelined = false;
  /** By their text. (A `Map` in the order of use would have to be rebuilt every few calls.) */
  readonly #statements = new Map<string, PreparedStatement>();
  #calls = 0;

  readonly stopwatch = new Stopwatch();

  /** @param handle of TypeORM's own connection */
  constructor(private readonly handle: Database) {}

  /** @param mode sqlite3's flags; by default a missing file is created @throws DatabaseFault */
  static open(path: string, mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => {
      const handle: Database = new sqlite3.Database(path, mode, (error) => {
        if (error) reject(sqliteFault(error));
        else resolve(new SqliteConnection(handle));
      });
    });
  }

  async all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    const parameters = query.bind(values);
    const startedAt = performance.now();
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        const done = (error: Error | null, rows: Row[]): void => (error ? reject(error) : resolve(rows));
        // TypeORM writes numbers into the text, so a cached statement would rarely be used again.
        if (query.isRunOnce) this.handle.all(query.sql, parameters, done);
        else this.#prepared(query.sql, reject).all(parameters, done);
      });
    } catch (error) {
      // Made here, its stack names the callers.
      throw sqliteFault(error as Error, query);
    } finally {
      this.stopwatch.stop(startedAt);
    }
  }

  /** `raw` is the last id of an INSERT, as TypeORM expects for SQLite. */
  async run(statement: CompiledQuery): Promise<QueryResult> {
    if (statement.isRead) {
      const rows = await this.all(statement);
      return Object.assign(new QueryResult(), { raw: rows, records: rows });
    }
    try {
      const { changes, lastID } = await new Promise<RunResult>((resolve, reject) => {
        this.handle.run(statement.sql, statement.bind(), function (error) {
          if (error) reject(error);
          else resolve(this);
        });
      });
      return Object.assign(new QueryResult(), { raw: lastID, affected: changes });
    } catch (error) {
      throw sqliteFault(error as Error, statement);
    }
  }

  /** Runs a statement that has no parameters and whose rows do not matter. @throws DatabaseFault */
  async execute(sql: string): Promise<void> {
    await this.query(sql);
  }

  /** Runs a statement once, with its parameters in their order. @throws DatabaseFault */
  query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.all(CompiledQuery.once(sql, parameters));
  }

  /** Cancels the running statement. */
  interrupt(): void {
    this.handle.interrupt();
  }

  /** @param ms how long a statement waits for a lock that another connection holds */
  set busyTimeout(ms: number) {
    this.handle.configure('busyTimeout', ms);
  }

  /** Closes the file and releases its locks and transactions, after the running statements. */
  async close(): Promise<void> {
    await this.finalize();
    await new Promise<void>((resolve, reject) => {
      this.handle.close((error) => (error ? reject(sqliteFault(error)) : resolve()));
    });
  }

  /** Cancels the running statements, and closes the file. */
  async abort(): Promise<void> {
    this.interrupt();
    const timer = setInterval(() => this.interrupt(), INTERRUPT_INTERVAL_MS);
    try {
      await this.finalize();
    } finally {
      clearInterval(timer);
    }
    await this.close();
  }

  /** Call it before the handle is closed: closing fails while a statement is open. */
  async finalize(): Promise<void> {
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    await Promise.all(
      statements.map(({ statement }) => new Promise<void>((done) => statement.finalize(() => done()))),
    );
  }

  /** @param reject rejects the call, if the statement cannot be prepared */
  #prepared(sql: string, reject: Reject): Statement {
    const prepared = this.#statements.get(sql) ?? this.#prepare(sql);
    prepared.waiting?.push(reject);
    prepared.usedAt = this.#calls += 1;
    return prepared.statement;
  }

  #prepare(sql: string): PreparedStatement {
    const waiting: Reject[] = [];
    const statement = this.handle.prepare(sql, (error: Error | null) => {
      prepared.waiting = undefined;
      if (!error) return;
      // The driver silently drops the calls on a statement that failed to prepare, waiting and later ones.
      for (const reject of waiting) reject(error);
      if (this.#statements.get(sql) === prepared) this.#statements.delete(sql);
    });
    const prepared: PreparedStatement = { statement, waiting, usedAt: 0 };
    if (this.#statements.size >= MAX_PREPARED_STATEMENTS) this.#evictOldest();
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #evictOldest(): void {
    const [sql, { statement }] = [...this.#statements].reduce((oldest, each) =>
      each[1].usedAt < oldest[1].usedAt ? each : oldest,
    );
    this.#statements.delete(sql);
    // The driver runs this after the statement's pending calls.
    statement.finalize();
  }
}

const KINDS: Readonly<Record<string, DatabaseFaultKind>> = {
  SQLITE_BUSY: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_IOERR: 'unreachable',
  SQLITE_CANTOPEN: 'unreachable',
  SQLITE_READONLY: 'read-only',
  SQLITE_CORRUPT: 'unreachable',
  SQLITE_NOTADB: 'unreachable',
};

/** Translates SQLite's result codes (https://sqlite.org/rescode.html). No other code does. */
function sqliteFault(cause: Error & { code?: string }, query?: CompiledQuery): DatabaseFault {
  return new DatabaseFault(KINDS[cause.code ?? ''] ?? 'unexpected', { cause, query });
}

/** SQLite's result code of a fault, such as `SQLITE_BUSY`. */
export function sqliteCode(fault: unknown): string | undefined {
  const { cause } = fault as { cause?: { code?: string } };
  return cause?.code;
}
