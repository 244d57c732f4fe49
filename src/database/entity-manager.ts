import { type DataSource, type EntityManager, QueryResult, type QueryRunner } from 'typeorm';
import { CompiledQuery } from './compiled-query.js';

// The one unusual thing about TypeORM here: its repositories and query builders run on connections that Database
// chooses (the reader, a snapshot, an open transaction), not on one that TypeORM takes. Everything else is as its
// documentation says.

/** An EntityManager that reads with this function. It throws on any statement that writes. */
export function readingManager(
  dataSource: DataSource,
  read: (statement: CompiledQuery) => Promise<unknown[]>,
): EntityManager {
  return managerOn(dataSource, {}, async (statement) => {
    // A PostgreSQL pool would run it, outside of every transaction.
    if (!statement.isRead) throw new Error('The reader changes nothing; use Database.write.');
    const rows = await read(statement);
    return Object.assign(new QueryResult(), { raw: rows, records: rows });
  });
}

/** An EntityManager whose statements run in an open transaction. */
export function writingManager(dataSource: DataSource, run: RunStatement): EntityManager {
  // TypeORM turns a nested transaction into a savepoint.
  return managerOn(dataSource, { isTransactionActive: true, transactionDepth: 1 }, run);
}

type RunStatement = (statement: CompiledQuery) => Promise<QueryResult>;

/** TypeORM's query runner for the database, with `query` replaced by ours. */
function managerOn(dataSource: DataSource, state: object, run: RunStatement): EntityManager {
  const runner = Object.create(dataSource.driver.createQueryRunner('master')) as QueryRunner;
  const manager = dataSource.createEntityManager(runner);
  return Object.assign(runner, state, {
    manager,
    query: async (sql: string, parameters: unknown[] = [], useStructuredResult = false) => {
      const result = await run(CompiledQuery.once(sql, parameters));
      return useStructuredResult ? result : (result.raw as unknown);
    },
  }).manager;
}
