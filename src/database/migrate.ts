import type { SqliteDataSource } from './sqlite/sqlite-data-source.js';

/**
 * Runs the migrations that are missing, all or none. Of several processes that start at once the first one migrates
 * and the others wait for it: the lock is taken before the list of migrations is read.
 */
export async function migrate(dataSource: SqliteDataSource): Promise<void> {
  const { sqlite } = dataSource;
  await sqlite.execute('BEGIN IMMEDIATE');
  try {
    await dataSource.runMigrations({ transaction: 'none' });
    await sqlite.execute('COMMIT');
  } catch (error) {
    await sqlite.execute('ROLLBACK');
    throw error;
  }
}
