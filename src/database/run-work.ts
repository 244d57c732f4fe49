import type { DataSource, EntityManager, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import type { Transaction, Work, WriterConnection } from './database.js';
import { writingManager } from './entity-manager.js';

/**
 * Runs the work in the transaction that is open on the connection, and takes no more statements once it has settled.
 *
 * @throws the fault of a statement, even when the work has caught it: the transaction may be void (SQLITE_FULL, any fault
 *   of PostgreSQL), and what came after it lost, or outside of it
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

  /** Made when it is first asked for: the hot paths need none. */
  get manager(): EntityManager {
    return (this.#manager ??= writingManager(this.dataSource, this));
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    this.#assertOpen();
    return this.#noteFault(this.connection.all<Row>(query, values));
  }

  run(statement: CompiledQuery): Promise<QueryResult> {
    this.#assertOpen();
    return this.#noteFault(this.connection.run(statement));
  }

  /** A statement that comes late would join somebody else's transaction. */
  #assertOpen(): void {
    if (!this.isOpen) throw new Error('The transaction is over.');
  }

  #noteFault<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
    outcome.then(undefined, (fault: unknown) => this.faults.push(fault));
    return outcome;
  }
}
