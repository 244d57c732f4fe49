import { type DataSource, type EntityManager, QueryResult, type QueryRunner } from 'typeorm';
import { CompiledQuery, type QueryValues } from './compiled-query.js';
import type { Queryable, ReaderConnection, Transaction, Work, WriterConnection } from './database.js';

/** A connection that reads, and TypeORM's EntityManager on it. */
export class DatabaseReader implements Queryable {
  readonly manager: EntityManager;

  constructor(
    dataSource: DataSource,
    private readonly connection: ReaderConnection,
  ) {
    this.manager = readingManager(dataSource, connection);
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    return this.connection.all(query, values);
  }
}

/** An EntityManager that reads over the connection. It throws on any statement that writes. */
export function readingManager(dataSource: DataSource, connection: ReaderConnection): EntityManager {
  return managerOn(dataSource, {
    query: async (statement) => {
      // A PostgreSQL pool would run it, outside of every transaction.
      if (!statement.isRead) throw new Error('The reader changes nothing; use Database.write.');
      const rows = await connection.all(statement);
      return Object.assign(new QueryResult(), { raw: rows, records: rows });
    },
  });
}

/** An EntityManager whose statements run in the open transaction of the connection. */
function writingManager(dataSource: DataSource, connection: WriterConnection): EntityManager {
  return managerOn(dataSource, {
    query: (statement) => connection.run(statement),
    // TypeORM turns a nested transaction into a savepoint.
    isTransactionActive: true,
    transactionDepth: 1,
  });
}

interface RunnerState {
  readonly query: (statement: CompiledQuery) => Promise<QueryResult>;
  readonly isTransactionActive?: boolean;
  readonly transactionDepth?: number;
}

/** TypeORM's query runner for the database, with `query` replaced by ours. */
function managerOn(dataSource: DataSource, { query, ...state }: RunnerState): EntityManager {
  const runner = Object.create(dataSource.driver.createQueryRunner('master')) as QueryRunner;
  const manager = dataSource.createEntityManager(runner);
  Object.assign(runner, state, {
    manager,
    query: async (sql: string, parameters: unknown[] = [], useStructuredResult = false) => {
      const result = await query(CompiledQuery.once(sql, parameters));
      return useStructuredResult ? result : (result.raw as unknown);
    },
  });
  return manager;
}

/**
 * Runs the work in the connection's open transaction. The work's transaction rejects statements after the work has
 * settled.
 *
 * @throws the fault of a statement, even when the work has caught it: the transaction may be void (SQLITE_FULL, any
 *   fault of PostgreSQL), and later statements may be lost or have run outside of it
 */
export async function runWork<Result>(
  work: Work<Result>,
  connection: WriterConnection,
  dataSource: DataSource,
): Promise<Result> {
  const transaction = new OpenTransaction(connection, dataSource);
  try {
    const result = await work(transaction);
    if (transaction.faults.length > 0) throw transaction.faults[0];
    return result;
  } catch (error) {
    // The statements after a fault fail, too; the first fault is the cause.
    throw transaction.faults[0] ?? error;
  } finally {
    transaction.isOpen = false;
  }
}

class OpenTransaction implements Transaction, WriterConnection {
  isOpen = true;
  readonly faults: unknown[] = [];
  #manager: EntityManager | undefined;

  constructor(
    private readonly connection: WriterConnection,
    private readonly dataSource: DataSource,
  ) {}

  /** Created on first use: the hot paths do not need it. */
  get manager(): EntityManager {
    return (this.#manager ??= writingManager(this.dataSource, this));
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    this.#assertUsable();
    return this.#noteFault(this.connection.all<Row>(query, values));
  }

  send(query: CompiledQuery, values?: QueryValues): void {
    void this.all(query, values);
  }

  run(statement: CompiledQuery): Promise<QueryResult> {
    this.#assertUsable();
    return this.#noteFault(this.connection.run(statement));
  }

  /**
   * A late statement would join another caller's transaction, and after a fault a statement may run outside of the
   * transaction.
   */
  #assertUsable(): void {
    if (!this.isOpen) throw new Error('The transaction is over.');
    if (this.faults.length > 0) throw this.faults[0];
  }

  #noteFault<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
    outcome.then(undefined, (fault: unknown) => this.faults.push(fault));
    return outcome;
  }
}
