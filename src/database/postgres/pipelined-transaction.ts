import type { Sql, SqlValues } from '../sql.js';
import { Transaction, withCaller, type Work } from '../transaction.js';

/**
 * A transaction on PostgreSQL: statements go to the server at once, and the server runs none after one that has failed. A
 * COMMIT after a fault rolls back.
 */
export class PipelinedTransaction extends Transaction {
  /** For each {@link send}, what follows on its rows. */
  readonly #received: Promise<unknown>[] = [];

  send<Row>(query: Sql<Row>, values?: SqlValues, receive?: (rows: Row[]) => void): void {
    const received = withCaller(new Error('sent'), this.all(query, values)).then(receive);
    // received() reports it.
    received.catch(() => undefined);
    this.#received.push(received);
  }

  async complete<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.isOpen = false;
    }
  }

  /** Resolves when the rows of all statements that were sent have been received. @throws their first fault */
  received(): Promise<unknown> {
    return Promise.all(this.#received);
  }

  protected run<Result>(statement: () => Promise<Result>): Promise<Result> {
    return statement();
  }
}
