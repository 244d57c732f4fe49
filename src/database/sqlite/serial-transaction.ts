import type { Sql, SqlValues } from '../sql.js';
import { Transaction, withCaller, type Work } from '../transaction.js';

/**
 * A transaction on SQLite: each statement runs when the one before it has succeeded, because the driver runs statements
 * that it gets together in any order.
 */
export class SerialTransaction extends Transaction {
  /** The last statement, with what follows on its rows. Rejected once a statement has failed. */
  #last: Promise<unknown> = Promise.resolve();

  send<Row>(query: Sql<Row>, values?: SqlValues, receive?: (rows: Row[]) => void): void {
    const received = withCaller(new Error('sent'), this.all(query, values)).then(receive);
    // The end of the transaction reports it.
    received.catch(() => undefined);
    this.#last = received;
  }

  /** All statements, also those that were sent, have then succeeded. */
  async complete<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.isOpen = false;
      // The first fault is the cause of the others.
      await this.#last;
    }
  }

  protected run<Result>(statement: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(statement);
    this.#last = result;
    return result;
  }
}
