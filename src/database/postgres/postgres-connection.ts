import type { PoolClient } from 'pg';
import { QueryResult } from 'typeorm';
import { DatabaseFault } from '../database-fault.js';
import { type BoundSql, type Sql, sql, type SqlValues } from '../sql.js';
import type { DatabaseConnection } from '../transaction.js';
import { PostgresBatch, type PostgresStatement, Result } from './postgres-batch.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';

/** After a statement timeout, the server has this much longer to report it before the connection is closed. */
const RESPONSE_GRACE_MS = 1_000;

const BEGIN = sql`BEGIN ISOLATION LEVEL READ COMMITTED`;
const BEGIN_SNAPSHOT = sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
const COMMIT = sql`COMMIT`;
const ROLLBACK = sql`ROLLBACK`;

/**
 * A connection taken from the pool. One caller uses it at a time. Statements that it runs without awaiting the one
 * before are sent together, and those after a fault do not run.
 */
export class PostgresConnection implements DatabaseConnection {
  #isBroken = false;
  /** The first fault since the last rollback, which is the cause of all later ones. */
  #fault: PostgresFault | undefined;
  #running = 0;
  readonly #unsent: PostgresStatement[] = [];

  /** @param isPooled whether a pooler may send each statement over another connection, which does not know its name */
  constructor(
    private readonly client: PoolClient,
    private readonly statementTimeoutMs: number,
    private readonly isPooled: boolean,
  ) {}

  async all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    const { rows } = await this.#run(query, values);
    return rows as Row[];
  }

  async run(statement: Sql): Promise<QueryResult> {
    const { command, rows, rowCount } = await this.#run(statement);
    const raw = command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
    return Object.assign(new QueryResult(), { raw, records: rows, affected: rowCount });
  }

  /** Sends the BEGIN with the next statement, which does not run when the BEGIN fails. */
  begin(kind: 'transaction' | 'snapshot'): void {
    this.#add(kind === 'snapshot' ? BEGIN_SNAPSHOT : BEGIN).catch(() => undefined);
  }

  /**
   * Commits the open transaction.
   *
   * @throws PostgresFault of an earlier statement
   * @throws DatabaseFault `unconfirmed` when no response arrives: the transaction may or may not be committed
   */
  async commit(): Promise<void> {
    if (this.#fault) throw this.#fault;
    let command: string;
    try {
      ({ command } = await this.#run(COMMIT));
    } catch (fault) {
      // Only severity ERROR keeps the session alive and proves that the transaction was rolled back.
      if (fault instanceof PostgresFault && !fault.breaksConnection) throw fault;
      throw new DatabaseFault('unconfirmed', { cause: fault });
    }
    // COMMIT in a failed transaction rolls back and reports no error, only the command tag ROLLBACK.
    if (command === 'ROLLBACK') throw this.#fault ?? new DatabaseFault('unexpected');
  }

  async rollback(): Promise<void> {
    if (this.#isBroken) return;
    // After a fault, the server would skip a ROLLBACK that is sent with other statements.
    this.#flush();
    try {
      const result = this.#add(ROLLBACK);
      this.#flush();
      await result;
    } catch {
      // The server rolls back by itself when a connection breaks.
      this.#isBroken = true;
    }
    this.#fault = undefined;
  }

  async abort(): Promise<void> {
    // release() then closes the connection, and the server, which checks it, ends the statement.
    if (this.#running > 0) this.#isBroken = true;
    await this.rollback();
    this.release();
  }

  /** Returns the connection to the pool, or closes it when it is broken. */
  release(): void {
    this.client.release(this.#isBroken);
  }

  async #run(query: Sql, values?: SqlValues): Promise<Result> {
    if (this.#fault) throw this.#fault;
    // A missing value is no fault of the database.
    const bound = query.bind(values);
    this.#running += 1;
    try {
      const result = this.#add(query, bound);
      // The statements of one turn of the event loop are sent together.
      process.nextTick(() => this.#flush());
      return await result;
    } catch (error) {
      const fault = postgresFault(error, query);
      if (fault.breaksConnection) this.#isBroken = true;
      throw (this.#fault ??= fault);
    } finally {
      this.#running -= 1;
    }
  }

  #add(query: Sql, { text, parameters }: BoundSql = query.bind()): Promise<Result> {
    return new Promise((resolve, reject) => {
      const result = new Result(undefined, this.client);
      this.#unsent.push({
        result,
        text,
        values: parameters,
        isPrepared: !this.isPooled && !query.values,
        settle: (error) => (error ? reject(error) : resolve(result)),
      });
    });
  }

  #flush(): void {
    const statements = this.#unsent.splice(0);
    if (statements.length === 0) return;
    // The server enforces the statement timeout; this one ends the wait for a server that does not respond.
    const timeoutMs = this.statementTimeoutMs * statements.length + RESPONSE_GRACE_MS;
    this.client.query(new PostgresBatch(statements, timeoutMs));
  }
}
