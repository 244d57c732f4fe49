import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type DataSource, MigrationExecutor } from 'typeorm';

/** The key of the advisory lock in PostgreSQL ("posts" in ASCII). */
const MIGRATION_LOCK = 0x706f737473;

/**
 * Begins the transaction of the migrations. It takes a lock before the list of migrations is read, with no limit on the
 * wait.
 */
const BEGIN: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['BEGIN IMMEDIATE'],
  postgres: ['BEGIN', 'SET LOCAL statement_timeout = 0', `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`],
};

/** Writers of an older version, which runs beside this one, take their locks in an order of their own. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 500;

/** PostgreSQL's serialization_failure and deadlock_detected: nothing was changed, and the next try mostly works. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/**
 * Runs the missing migrations, all or none. When several processes start at once, the first one migrates and the others
 * wait.
 */
export async function migrate(dataSource: DataSource, logger?: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(dataSource, logger);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !CONFLICTS.has((error as { code?: unknown }).code)) throw error;
      logger?.warn('Writes of another service have stopped the migration; it is tried again.');
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
}

async function migrateOnce(dataSource: DataSource, logger?: Logger): Promise<void> {
  const startedAt = performance.now();
  const runner = dataSource.createQueryRunner();
  try {
    for (const sql of BEGIN[dataSource.options.type]!) await runner.query(sql);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'none';
      const names = (await executor.executePendingMigrations()).map(({ name }) => name);
      await runner.query('COMMIT');
      const ms = Math.round(performance.now() - startedAt);
      if (names.length === dataSource.migrations.length) logger?.info('The tables were created.');
      else if (names.length > 0) logger?.info(`The schema was migrated in ${ms} ms: ${names.join(', ')}.`);
    } catch (error) {
      // SQLite has rolled back by itself when the disk is full, and refuses this.
      await runner.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
}
