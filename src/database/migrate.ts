import { DataSource, MigrationExecutor } from 'typeorm';
import { MIGRATIONS, writerOptions } from './data-source-options.js';

/** Names the lock, among all advisory locks of a PostgreSQL database. (It is "posts" in ASCII.) */
const MIGRATION_LOCK = 0x706f737473;

/**
 * How a transaction starts in which the migrations are not disturbed: it holds a lock before the list of migrations is
 * read, however long that takes.
 */
const BEGIN: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['BEGIN IMMEDIATE'],
  postgres: ['BEGIN', 'SET LOCAL statement_timeout = 0', `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`],
};

/**
 * Runs the migrations that are missing, all or none. Of several processes that start at once the first one migrates and
 * the others wait for it.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const sql of BEGIN[dataSource.options.type]!) await runner.query(sql);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'none';
      await executor.executePendingMigrations();
      await runner.query('COMMIT');
    } catch (error) {
      await runner.query('ROLLBACK');
      throw error;
    }
  } finally {
    await runner.release();
  }
}

/** The names of all migrations that this version of the service has. */
export function migrationNames(): string[] {
  return MIGRATIONS.map(({ name }) => name);
}

/** Makes a SQLite database in memory that has these migrations, to compare another one with. */
export async function createMigrated(names: readonly string[]): Promise<DataSource> {
  const dataSource = new DataSource({
    ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
    migrations: MIGRATIONS.filter(({ name }) => names.includes(name)),
  });
  await dataSource.initialize();
  await migrate(dataSource);
  return dataSource;
}
