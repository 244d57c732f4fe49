import type { DataSource, QueryRunner } from 'typeorm';
import type { Settings } from '../settings/settings.js';
import { writerOptions } from './data-source-options.js';
import { openDataSource } from './open-database.js';

const BATCH_ROWS = 200;
/** The rows of a batch have no more bytes, unless one alone has: a body may have many megabytes. */
const BATCH_BYTES = 4 * 1_048_576;

/** The migration inserts its row; the copy replaces it by the row of the other database. */
const STATE_TABLE = 'posts_state';

/**
 * This file names tables and columns in SQL, as they are in the database: it copies them all, with or without an
 * entity. Left out are those that PostgreSQL's triggers, or the service at its start, fill from the moved data: the
 * counters and the search index, a virtual table. The state comes first: it says which posts do not count.
 */
const TABLES = `
  SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('migrations', 'posts_counters')
  ORDER BY name = '${STATE_TABLE}' DESC, name = 'posts' DESC, name
`;

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies every table of a SQLite file to an empty PostgreSQL database, all or nothing. Posts keep their ids and
 * versions. Both databases are migrated first, and are locked against other writers during the copy.
 *
 * @throws Error when PostgreSQL already has rows
 */
export async function moveToPostgres(
  from: Settings['database'],
  to: Settings['database'],
): Promise<MovedTable[]> {
  const source = await openDataSource(writerOptions(from));
  try {
    const target = await openDataSource(writerOptions(to));
    try {
      return await copyAll(source, target);
    } finally {
      await target.destroy();
    }
  } finally {
    await source.destroy();
  }
}

async function copyAll(from: DataSource, to: DataSource): Promise<MovedTable[]> {
  const [sqlite, postgres] = [from.createQueryRunner(), to.createQueryRunner()];
  try {
    // A write during the copy would go to a file that is no longer used.
    await sqlite.query('BEGIN IMMEDIATE');
    await postgres.query('BEGIN');
    await postgres.query('SET LOCAL statement_timeout = 0');
    await postgres.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    const tables = (await rowsOf<{ name: string }>(sqlite, TABLES)).map(({ name }) => name);
    await lockEmpty(postgres, tables);
    const moved: MovedTable[] = [];
    for (const table of tables) moved.push({ table, rows: await copyTable(sqlite, postgres, table) });
    // Without a version, the service rebuilds the search index at its start.
    await postgres.query(`UPDATE ${quoted(STATE_TABLE)} SET search_version = ''`);
    await advanceSequences(sqlite, postgres);
    await postgres.query('COMMIT');
    return moved;
  } catch (error) {
    await postgres.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    await sqlite.query('ROLLBACK').catch(() => undefined);
    await postgres.release();
  }
}

function rowsOf<Row>(runner: QueryRunner, query: string, parameters?: unknown[]): Promise<Row[]> {
  return runner.query(query, parameters);
}

async function lockEmpty(postgres: QueryRunner, tables: readonly string[]): Promise<void> {
  await postgres.query(`LOCK TABLE ${tables.map(quoted).join(', ')}`);
  for (const table of tables.filter((name) => name !== STATE_TABLE)) {
    const rows = await rowsOf(postgres, `SELECT FROM ${quoted(table)} LIMIT 1`);
    if (rows.length > 0)
      throw new Error(`The PostgreSQL database is not empty: there are rows in ${table}. Nothing was moved.`);
  }
  await postgres.query(`DELETE FROM ${quoted(STATE_TABLE)}`);
}

/** @returns the number of rows */
async function copyTable(sqlite: QueryRunner, postgres: QueryRunner, table: string): Promise<number> {
  const columns = (
    await rowsOf<{ name: string }>(sqlite, 'SELECT name FROM pragma_table_info(?)', [table])
  ).map(({ name }) => name);
  const bytes = columns.map((column) => `coalesce(octet_length(${quoted(column)}), 0)`).join(' + ');
  const next = `SELECT rowid AS id, ${bytes} AS bytes FROM ${quoted(table)} WHERE rowid > ? ORDER BY rowid LIMIT ${BATCH_ROWS}`;
  const lastOfBatch = `
    SELECT max(id) AS last FROM (
      SELECT id, sum(bytes) OVER so_far AS bytes, row_number() OVER so_far AS row FROM (${next}) WINDOW so_far AS (ORDER BY id)
    ) WHERE row = 1 OR bytes <= ${BATCH_BYTES}
  `;
  const batch = `SELECT * FROM ${quoted(table)} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`;
  const names = columns.map(quoted).join();
  const insert = `
    INSERT INTO ${quoted(table)} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${names} FROM json_populate_recordset(CAST(NULL AS ${quoted(table)}), $1)
  `;
  let copied = 0;
  for (let after = -1; ;) {
    const [found] = await rowsOf<{ last: number | null }>(sqlite, lastOfBatch, [after]);
    if (found!.last === null) return copied;
    const rows = await rowsOf(sqlite, batch, [after, found!.last]);
    after = found!.last;
    await postgres.query(insert, [JSON.stringify(rows)]);
    copied += rows.length;
  }
}

/** New ids continue after the old ones, so that not even the id of a deleted post is used again. */
async function advanceSequences(sqlite: QueryRunner, postgres: QueryRunner): Promise<void> {
  const last = await rowsOf<{ name: string; seq: number }>(
    sqlite,
    'SELECT * FROM sqlite_sequence WHERE seq > 0',
  );
  for (const { name, seq } of last.filter(({ name: table }) => table !== 'migrations'))
    await postgres.query("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", [quoted(name), seq]);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
