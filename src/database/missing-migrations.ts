import type { Settings } from '../settings/settings.js';
import { writerOptions } from './data-source-options.js';
import { MIGRATION_DESCRIPTIONS, type TableLock, type TouchedRows } from './migrations.js';
import { openDataSource } from './open-database.js';

/** A migration that the database lacks. */
export interface MissingMigration {
  readonly name: string;
  readonly does: string;
  readonly locks: readonly TableLock[];
  readonly rows: readonly { readonly table: string; readonly touched: number }[];
}

type Query = <Row>(sql: string) => Promise<Row[]>;

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table'`,
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
};

/** Begins to read one state of the database: all rows are counted at one moment, for as long as it takes. */
const BEGIN = {
  sqlite: ['BEGIN'],
  postgres: ['BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', 'SET LOCAL statement_timeout = 0'],
};

/**
 * Describes the migrations that a database lacks, in the order in which they would run. It changes nothing and takes no
 * lock that holds up a service.
 *
 * @throws StartFault when the service could not use or migrate the database, or the database's fault
 */
export async function findMissingMigrations(database: Settings['database']): Promise<MissingMigration[]> {
  const dataSource = await openDataSource(writerOptions(database), { purpose: 'inspect' });
  const runner = dataSource.createQueryRunner();
  try {
    for (const statement of BEGIN[database.kind]) await runner.query(statement);
    return await describeMissing(database.kind, (sql) => runner.query(sql));
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

async function describeMissing(kind: keyof typeof TABLES, query: Query): Promise<MissingMigration[]> {
  const tables = new Set((await query<{ name: string }>(TABLES[kind])).map(({ name }) => name));
  const applied = tables.has('migrations')
    ? (await query<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name)
    : [];
  const missing: MissingMigration[] = [];
  // The first migration makes the tables: nothing waits for them, and they are empty.
  const isEmpty = applied.length === 0;
  for (const [name, description] of MIGRATION_DESCRIPTIONS) {
    if (applied.includes(name)) continue;
    const { does, locks, rows } = description[kind];
    const touched = isEmpty ? [] : await countTouched(rows, tables, query);
    missing.push({ name, does, locks: isEmpty ? [] : locks, rows: touched });
  }
  return missing;
}

async function countTouched(
  rows: readonly TouchedRows[],
  tables: ReadonlySet<string>,
  query: Query,
): Promise<MissingMigration['rows']> {
  const touched: { table: string; touched: number }[] = [];
  for (const { table, count, reads } of rows) {
    const [counted] = tables.has(reads) ? await query<{ rows: number | string }>(count) : [{ rows: 0 }];
    touched.push({ table, touched: Number(counted!.rows) });
  }
  return touched;
}
