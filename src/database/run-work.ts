import type { CompiledQuery, QueryValues } from './compiled-query.js';
import type { Queryable, Transaction, Work } from './database.js';

/**
 * Runs the work in the transaction that is open on the connection, and takes no more statements once it has settled.
 *
 * @throws the fault of a statement, even when the work has caught it: the transaction may be void (SQLITE_FULL, any fault
 *   of PostgreSQL), and what came after it lost, or outside of it
 */
export async function runWork<Result>(work: Work<Result>, connection: Queryable): Promise<Result> {
  let open = true;
  const faults: unknown[] = [];
  const transaction: Transaction = {
    all: <Row>(query: CompiledQuery, values?: QueryValues) => {
      // A statement that comes late would join somebody else's transaction.
      if (!open) throw new Error('The transaction is over.');
      const rows = connection.all<Row>(query, values);
      rows.then(undefined, (fault: unknown) => faults.push(fault));
      return rows;
    },
  };
  try {
    const result = await work(transaction);
    if (faults.length > 0) throw faults[0];
    return result;
  } finally {
    open = false;
  }
}
