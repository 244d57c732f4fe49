import { connect } from 'node:net';
import type { PoolClient, QueryResult as PgResult } from 'pg';
import { QueryResult } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../compiled-query.js';
import { DatabaseFault } from '../database-fault.js';
import type { WriterConnection } from '../transaction.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';
import { PreparedQuery } from './prepared-query.js';

/** After a statement timeout, the server has this much longer to report it before the connection is closed. */
const RESPONSE_GRACE_MS = 1_000;

/**
 * Sent in place of the protocol version (https://www.postgresql.org/docs/current/protocol-message-formats.html,
 * CancelRequest).
 */
const CANCEL_REQUEST = 80_877_102;
const CANCEL_TIMEOUT_MS = 1_000;
/** The server ignores a cancel request that arrives before its query, so it is repeated until the query has ended. */
const CANCEL_INTERVAL_MS = 200;

/** Fields of pg's client that its types do not declare. */
interface Session {
  readonly processID: number;
  readonly secretKey: number;
}

// These do not depend on a prepared statement: without its BEGIN, a transaction would commit each statement.
const BEGIN = CompiledQuery.once('BEGIN ISOLATION LEVEL READ COMMITTED');
const BEGIN_SNAPSHOT = CompiledQuery.once('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
const COMMIT = CompiledQuery.once('COMMIT');
const ROLLBACK = CompiledQuery.once('ROLLBACK');

/**
 * A connection taken from the pool. One caller uses it at a time. pg sends statements without waiting for the results of
 * the ones before (`pipeline` in pool-options.ts). In a transaction, the server refuses those after a fault.
 */
export class PostgresConnection implements WriterConnection {
  readonly isPipelined = true;
  #isBroken = false;
  /** The first fault since the last rollback, which is the cause of all later ones. */
  #fault: PostgresFault | undefined;
  #running = 0;

  /** @param isPooled whether a pooler may send each statement over another connection, which does not know its name */
  constructor(
    private readonly client: PoolClient,
    private readonly statementTimeoutMs: number,
    private readonly isPooled: boolean,
  ) {}

  /** The process id in a cancel request. Without a pooler, it is the id of the server's process. */
  get processId(): number {
    return (this.client as unknown as Session).processID;
  }

  async all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    const { rows } = await this.#run(query, values);
    return rows as Row[];
  }

  async run(statement: CompiledQuery): Promise<QueryResult> {
    const { command, rows, rowCount } = await this.#run(statement);
    const raw = command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
    return Object.assign(new QueryResult(), { raw, records: rows, affected: rowCount });
  }

  /** Runs a statement that has no parameters and whose rows do not matter. */
  async execute(sql: string): Promise<void> {
    await this.#run(CompiledQuery.once(sql));
  }

  /** Begins a transaction, or a snapshot. It is not awaited: a fault of it is one of the next statements. */
  begin(kind: 'transaction' | 'snapshot'): void {
    this.#run(kind === 'snapshot' ? BEGIN_SNAPSHOT : BEGIN).catch(() => undefined);
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
    if (this.#isBroken && this.#running === 0) return;
    try {
      await this.#send(ROLLBACK);
    } catch {
      // The connection is broken or cancelled; the server rolls back by itself.
      this.#isBroken = true;
    }
    this.#fault = undefined;
  }

  /** Cancels the running statements, ends the transaction, and releases the connection. */
  async abort(): Promise<void> {
    this.#cancel();
    const timer = setInterval(() => this.#cancel(), CANCEL_INTERVAL_MS);
    // It responds after the running statements have ended.
    await this.rollback();
    clearInterval(timer);
    this.release();
  }

  /** Returns the connection to the pool, or closes it when it is broken. */
  release(): void {
    this.client.release(this.#isBroken);
  }

  /**
   * Asks the server to cancel the running statement, which then fails. The connection is not used again: the cancel
   * request may arrive late and cancel the next caller's statement.
   */
  #cancel(): void {
    if (this.#running === 0) return;
    this.#isBroken = true;
    const { host, port } = this.client;
    const { processID, secretKey } = this.client as unknown as Session;
    const message = Buffer.alloc(16);
    [message.length, CANCEL_REQUEST, processID, secretKey].forEach((value, index) =>
      message.writeInt32BE(value, 4 * index),
    );
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    // If the request cannot be sent, the statement ends at its own timeout.
    socket.setTimeout(CANCEL_TIMEOUT_MS, () => socket.destroy()).on('error', () => socket.destroy());
    socket.end(message);
  }

  async #run(query: CompiledQuery, values?: QueryValues): Promise<PgResult> {
    if (this.#fault) throw this.#fault;
    this.#running += 1;
    try {
      return await this.#send(query, values);
    } catch (error) {
      const fault = postgresFault(error, query);
      if (fault.breaksConnection) this.#isBroken = true;
      throw (this.#fault ??= fault);
    } finally {
      this.#running -= 1;
    }
  }

  #send(query: CompiledQuery, values?: QueryValues): Promise<PgResult> {
    const { stream } = this.client.connection;
    // The statements that are sent in the same turn of the event loop leave in one packet.
    stream.cork();
    process.nextTick(() => stream.uncork());
    const statement = {
      text: query.sql,
      name: this.isPooled ? undefined : query.name,
      values: query.bind(values),
      // The server enforces the statement timeout; this one ends the wait for a server that does not respond.
      query_timeout: this.statementTimeoutMs * (this.#running + 1) + RESPONSE_GRACE_MS,
    };
    return new Promise((resolve, reject) => {
      this.client.query(
        new PreparedQuery(statement, (error, result) => (error ? reject(error) : resolve(result))),
      );
    });
  }
}
