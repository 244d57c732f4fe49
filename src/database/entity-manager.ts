import type { DataSource, EntityManager, QueryResult, QueryRunner } from 'typeorm';
import { CompiledQuery } from './compiled-query.js';

/**
 * The one unusual thing about TypeORM here: its repositories and query builders run on connections that Database chooses
 * (the reader, a snapshot, an open transaction), not on one that TypeORM takes. Everything else is as its documentation
 * says. So this is TypeORM's query runner for the database, with `query` replaced by ours.
 */
export function managerOn(
  dataSource: DataSource,
  isTransactionActive: boolean,
  run: (statement: CompiledQuery) => Promise<QueryResult>,
): EntityManager {
  const runner = Object.create(dataSource.driver.createQueryRunner('master')) as QueryRunner;
  return Object.assign(runner, {
    isTransactionActive,
    // TypeORM turns a nested transaction into a savepoint.
    transactionDepth: isTransactionActive ? 1 : 0,
    manager: dataSource.createEntityManager(runner),
    query: async (sql: string, parameters: unknown[] = [], useStructuredResult = false) => {
      const result = await run(CompiledQuery.once(sql, parameters));
      return useStructuredResult ? result : (result.raw as unknown);
    },
  }).manager;
}
