import { connect } from 'node:net';
import type { PoolClient } from 'pg';
import { QueryResult } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../compiled-query.js';
import { DatabaseFault } from '../database-fault.js';
import type { WriterConnection } from '../transaction.js';
import { PostgresBatch, type PostgresStatement, type Result } from './postgres-batch.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';
import type { StatementNames } from './postgres-pool.js';

/** After a statement timeout, the server has this much longer to report it before the connection is closed. */
const RESPONSE_GRACE_MS = 1_000;

/**
 * Sent in place of the protocol version (https://www.postgresql.org/docs/current/protocol-message-formats.html,
 * CancelRequest).
 */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 1_000;

/** Fields of pg's client that its types do not declare. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
}

const COMMIT = CompiledQuery.fromText('COMMIT');

/**
 * A connection taken from the pool. One caller uses it at a time. Statements that it runs without awaiting the one
 * before are sent together, and those after a fault do not run.
 */
export class PostgresConnection implements WriterConnection {
  readonly isPipelined = true;
  #isBroken = false;
  /** Of the first statement that failed. No later statement runs, except ROLLBACK. */
  #fault: PostgresFault | undefined;
  #running = 0;
  readonly #unsent: PostgresStatement[] = [];
  #willFlush = false;
  readonly #noteError = (): void => {
    this.#isBroken = true;
  };

  constructor(
    private readonly client: PoolClient,
    private readonly names: StatementNames,
    private readonly statementTimeoutMs: number,
  ) {
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on('error', this.#noteError);
  }

  /** The process id in a cancel request. Without a pooler, it is the id of the server's process. */
  get processId(): number {
    return (this.client as unknown as Session).processID;
  }

  async all<Row>(query: CompiledQuery, values: QueryValues = {}): Promise<Row[]> {
    const { rows } = await this.#run(query, values);
    return rows as Row[];
  }

  async run(statement: CompiledQuery): Promise<QueryResult> {
    const { command, rows, rowCount } = await this.#run(statement);
    const raw = command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
    return Object.assign(new QueryResult(), { raw, records: rows, affected: rowCount });
  }

  /** Runs a statement that has no parameters and whose rows do not matter, such as ROLLBACK. */
  async execute(sql: string): Promise<void> {
    await this.#run(CompiledQuery.once(sql, []), {}, this.names.of(sql));
  }

  /** Sends the BEGIN with the next statement, which does not run when the BEGIN fails. */
  begin(sql: string): void {
    this.#query(sql, undefined, this.names.of(sql)).catch(() => undefined);
  }

  /**
   * Commits the open transaction.
   *
   * @throws PostgresFault of an earlier statement
   * @throws DatabaseFault `unconfirmed` when no response arrives: the transaction may or may not be committed
   */
  async commit(): Promise<void> {
    let command: string;
    if (this.#fault) throw this.#fault;
    try {
      ({ command } = await this.#run(COMMIT));
    } catch (fault) {
      // Only severity ERROR keeps the session alive and proves that the transaction was rolled back.
      if (fault instanceof PostgresFault && !fault.breaksConnection) throw fault;
      throw new DatabaseFault('unconfirmed', { cause: fault });
    }
    // COMMIT in a failed transaction rolls back and reports no error, only the command tag ROLLBACK.
    if (command === 'ROLLBACK')
      throw new DatabaseFault('unexpected', { cause: new Error('A fault was passed over.') });
  }

  async rollback(): Promise<void> {
    if (this.#isBroken) return;
    // After a fault, the server would skip a ROLLBACK that is sent with other statements.
    this.#flush();
    this.#fault = undefined;
    try {
      await this.execute('ROLLBACK');
    } catch {
      // The connection is broken; the server rolls back by itself.
    }
  }

  /**
   * Asks the server to cancel the running statement, which then fails. The connection is not used again: the cancel
   * request may arrive late and cancel the next caller's statement.
   */
  cancel(): void {
    if (this.#running === 0) return;
    this.#isBroken = true;
    const { host, port, processID, secretKey } = this.client as unknown as Session;
    const message = Buffer.alloc(16);
    [message.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
      message.writeInt32BE(value, 4 * index),
    );
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    // If the request cannot be sent, the statement ends at its own timeout.
    socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy()).on('error', () => socket.destroy());
    socket.end(message);
  }

  /** Returns the connection to the pool, or closes it when it is broken. */
  release(): void {
    this.client.off('error', this.#noteError);
    this.client.release(this.#isBroken);
  }

  async #run(
    query: CompiledQuery,
    values: QueryValues = {},
    name = query.isRunOnce ? undefined : this.names.of(query.sql),
  ): Promise<Result> {
    if (this.#fault) throw this.#fault;
    this.#running += 1;
    try {
      const result = this.#query(query.sql, query.bind(values), name);
      if (!this.#willFlush) process.nextTick(() => this.#flush());
      this.#willFlush = true;
      return await result;
    } catch (error) {
      const fault = postgresFault(error, query);
      if (fault.breaksConnection) this.#isBroken = true;
      // The first fault is the cause of those of the statements that were sent after it.
      throw (this.#fault ??= fault);
    } finally {
      this.#running -= 1;
    }
  }

  #query(text: string, values: readonly unknown[] = [], name: string | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, result: Result): void => (error ? reject(error) : resolve(result));
      this.#unsent.push({ text, values, name, settle });
    });
  }

  #flush(): void {
    this.#willFlush = false;
    const statements = this.#unsent.splice(0);
    if (statements.length === 0) return;
    // The server enforces the statement timeout; this one ends the wait for a server that does not respond.
    const timeoutMs = this.statementTimeoutMs * statements.length + RESPONSE_GRACE_MS;
    this.client.query(new PostgresBatch(statements, this.client, timeoutMs));
  }
}
