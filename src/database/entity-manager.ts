import { type DataSource, type EntityManager, QueryResult, type QueryRunner } from 'typeorm';
import { CompiledQuery, type QueryValues } from './compiled-query.js';
import type { Queryable, ReaderConnection, WriterConnection } from './transaction.js';

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
export function writingManager(dataSource: DataSource, connection: WriterConnection): EntityManager {
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
