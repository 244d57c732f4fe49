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

/** Requests to an older version, which runs beside this one, take their locks in an order of their own. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 500;

/**
 * While the migration waits for the lock of a table, on PostgreSQL, all later requests to the table wait behind it: one
 * long transaction of an older version would stop all others. So all attempts but the last give up after this time, and
 * the requests run before the next attempt.
 */
const MAX_LOCK_WAIT_MS = 2_000;

/**
 * PostgreSQL's serialization_failure, deadlock_detected and lock_not_available: nothing was changed, and the next attempt
 * mostly works.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03']);

/**
 * Runs the missing migrations, all or none. When several processes start at once, the first one migrates and the others
 * wait.
 */
export async function migrate(dataSource: DataSource, logger?: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === MAX_ATTEMPTS;
    try {
      return await migrateOnce(dataSource, isLast ? 0 : MAX_LOCK_WAIT_MS, logger);
    } catch (error) {
      if (isLast || !CONFLICTS.has((error as { code?: unknown }).code)) throw error;
      logger?.warn('Requests to another service have stopped the migration; it is tried again.');
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
}

/** @param maxLockWaitMs for the lock of a table, on PostgreSQL; 0 means no limit */
async function migrateOnce(dataSource: DataSource, maxLockWaitMs: number, logger?: Logger): Promise<void> {
  const startedAt = performance.now();
  const { type } = dataSource.options;
  const runner = dataSource.createQueryRunner();
  try {
    for (const sql of BEGIN[type]!) await runner.query(sql);
    try {
      if (type === 'postgres') await runner.query(`SET LOCAL lock_timeout = ${maxLockWaitMs}`);
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
