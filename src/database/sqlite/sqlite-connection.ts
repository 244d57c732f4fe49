import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Database } from 'sqlite3';
import sqlite3 from 'sqlite3';
import { QueryResult } from 'typeorm';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import { Stopwatch } from '../database-activity.js';
import { DatabaseFault, type DatabaseFaultKind } from '../database-fault.js';
import { Sql, sql, type SqlValues } from '../sql.js';
import { StatementCache } from '../statement-cache.js';
import type { DatabaseConnection } from '../transaction.js';

const LAST_CHANGE = sql<{ id: number; rows: number }>`
  SELECT last_insert_rowid() AS "id", changes() AS "rows"
`;

/** A prepared statement. */
interface Prepared {
  readonly run: (parameters: readonly unknown[]) => Promise<unknown>;
  /** Waits, on the thread of JavaScript, until the statement of this connection that runs has ended. */
  readonly finalize: () => Promise<void>;
}

/**
 * How many statements of a connection the driver gets at a time. SQLite runs one of them; each other one waits in a thread
 * of libuv, which all connections and files share. The second one runs while JavaScript reads the rows of the first.
 */
const MAX_STATEMENTS = 2;

/** When this many statements wait to be finalized, no other one begins before they are. */
const MAX_RETIRED = 20;

/** An interrupt does not affect a statement that has not begun, so it is repeated until all have ended. */
const INTERRUPT_INTERVAL_MS = 20;
/** How often to look whether all statements have ended. */
const POLL_INTERVAL_MS = 5;

/**
 * A connection to a SQLite file, with cached prepared statements. (TypeORM prepares each query again, which takes longer
 * than a read by id.)
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #statements = new StatementCache<Promise<Prepared>>(
    (text) => this.#prepareCached(text),
    (evicted) => void evicted.then(this.#retire, () => undefined),
  );
  /** How many statements have not ended, those that wait for their turn included. */
  #open = 0;
  /** How many statements the driver has. */
  #running = 0;
  /** Statements that are not used again. They are finalized while none runs, because finalizing waits for it. */
  #retired: Prepared[] = [];
  /** Each begins the statement that waits. */
  readonly #waiting: (() => void)[] = [];

  readonly stopwatch = new Stopwatch();

  /**
   * @param handle of TypeORM's own connection
   * @param indexes the names of the unique indexes by their columns, which SQLite's message has
   */
  constructor(
    private readonly handle: Database,
    private readonly indexes: ReadonlyMap<string, string> = new Map(),
  ) {}

  /**
   * @param mode sqlite3's flags; by default a missing file is created
   * @throws DatabaseFault
   */
  static open(
    path: string,
    mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
  ): Promise<SqliteConnection> {
    return new Promise((resolve, reject) => {
      const handle: Database = new sqlite3.Database(path, mode, (error) => {
        if (error) return reject(sqliteFault(error));
        handle.configure('busyTimeout', busyTimeoutMs);
        resolve(new SqliteConnection(handle));
      });
    });
  }

  async all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    const { text, parameters } = query.bind(values);
    const startedAt = performance.now();
    this.#open += 1;
    if (this.#mayBegin) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const rows = query.values
        ? await this.#runOnce(text, parameters)
        : await (await this.#statements.get(text)).run(parameters);
      return rows as Row[];
    } catch (error) {
      // Made here, its stack names the callers.
      throw this.#faultOf(error as Error, query);
    } finally {
      this.#open -= 1;
      this.#running -= 1;
      this.#finalizeRetired();
      this.#beginWaiting();
      this.stopwatch.stop(startedAt);
    }
  }

  async run(statement: Sql): Promise<QueryResult> {
    const rows = await this.all(statement);
    const result = Object.assign(new QueryResult(), { raw: rows, records: rows });
    if (statement.isRead) return result;
    const [last] = await this.all(LAST_CHANGE);
    // TypeORM reads the id of an inserted row in `raw`.
    return Object.assign(result, { raw: last!.id, affected: last!.rows });
  }

  /** Runs a statement once, with its parameters in their order. @throws DatabaseFault */
  query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.all(Sql.once(text, parameters));
  }

  /** Closes the file and releases its locks and transactions, after the running statements. */
  async close(): Promise<void> {
    await this.finalize();
    await promisify(this.handle.close.bind(this.handle))().catch((error: Error) => {
      throw sqliteFault(error);
    });
  }

  /**
   * Cancels the running statements, and closes the file once they have ended: while one runs, finalizing another one
   * would block the event loop.
   */
  async abort(): Promise<void> {
    while (this.#open > 0) {
      this.handle.interrupt();
      await sleep(INTERRUPT_INTERVAL_MS);
    }
    await this.close();
  }

  #faultOf(cause: Error, query: Sql): DatabaseFault {
    const [, columns] = /UNIQUE constraint failed: (.+)$/.exec(cause.message) ?? [];
    if (columns === undefined) return sqliteFault(cause, query);
    return new DatabaseFault('duplicate', { cause, query, index: this.indexes.get(columns) ?? columns });
  }

  /** Call it before the handle is closed: closing fails while a statement is open, and the driver drops later ones. */
  async finalize(): Promise<void> {
    while (this.#open > 0) await sleep(POLL_INTERVAL_MS);
    await Promise.all(this.#statements.takeAll().map(finalize));
  }

  async #runOnce(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const prepared = await this.#prepare(text);
    try {
      return await prepared.run(parameters);
    } finally {
      this.#retire(prepared);
    }
  }

  get #mayBegin(): boolean {
    return this.#running < MAX_STATEMENTS && this.#retired.length < MAX_RETIRED;
  }

  #beginWaiting(): void {
    while (this.#waiting.length > 0 && this.#mayBegin) {
      this.#running += 1;
      this.#waiting.shift()!();
    }
  }

  readonly #retire = (prepared: Prepared): void => {
    this.#retired.push(prepared);
    this.#finalizeRetired();
  };

  #finalizeRetired(): void {
    if (this.#running > 0 || this.#retired.length === 0) return;
    for (const prepared of this.#retired) void prepared.finalize();
    this.#retired = [];
  }

  /** Callers await the preparation: the driver silently drops the calls on a statement that failed to prepare. */
  #prepare(text: string): Promise<Prepared> {
    return new Promise<Prepared>((resolve, reject) => {
      const statement = this.handle.prepare(text, (error: Error | null) => {
        if (error) return reject(error);
        const run = promisify(statement.all.bind(statement)) as Prepared['run'];
        resolve({ run, finalize: promisify((done) => statement.finalize(() => done(null))) });
      });
    });
  }

  #prepareCached(text: string): Promise<Prepared> {
    const prepared = this.#prepare(text);
    prepared.catch(() => this.#statements.delete(text));
    return prepared;
  }
}

async function finalize(prepared: Promise<Prepared>): Promise<void> {
  await (await prepared.catch(() => undefined))?.finalize();
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
function sqliteFault(cause: Error & { code?: string }, query?: Sql): DatabaseFault {
  return new DatabaseFault(KINDS[cause.code ?? ''] ?? 'unexpected', { cause, query });
}

/** SQLite's result code of a fault, such as `SQLITE_BUSY`. */
export function sqliteCode(fault: unknown): string | undefined {
  const { cause } = fault as { cause?: { code?: string } };
  return cause?.code;
}
