import type { Queryable, Transaction, Work } from './database.js';

/** Runs the work in the transaction that is open on the connection, and takes no more statements once it has settled. */
export async function runWork<Result>(work: Work<Result>, connection: Queryable): Promise<Result> {
  let open = true;
  const transaction: Transaction = {
    all: (query, values) => {
      // A statement that comes late would join somebody else's transaction.
      if (!open) throw new Error('The transaction is over.');
      return connection.all(query, values);
    },
  };
  try {
    return await work(transaction);
  } finally {
    open = false;
  }
}
