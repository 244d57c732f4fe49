// Writes docs/develop/statements.md: the statements as the databases get them, with their plans at 300,000 posts, to be
// looked at when they change: `npm run sql`. Prints how long each read takes. Needs a build.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { promisify } from 'node:util';
import { PostgresServer } from '../test/support/postgres-server.js';
import { readCatalogues, statementsPage } from './statements-page.js';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist/src');
const FILE = join(ROOT, 'docs/develop/statements.md');
const POSTS = 300_000;
/** @typedef {{ text: string, parameters: any[] }} Bound */
/** The build may not exist when types are checked, so the imports are not static. */
const [{ openDataSource }, { writerOptions }, dialects, { readSettings }] = await Promise.all(
  [
    'database/open-database.js',
    'database/data-source-options.js',
    'database/dialect.js',
    'settings/settings.js',
  ].map((name) => import(pathToFileURL(join(BUILT, name)).href)),
);
const catalogues = await readCatalogues(BUILT);

/** A third of the posts is older and has one title; each has a common word, and a word of its own. */
const SQLITE_POSTS = `
  WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${POSTS})
  INSERT INTO posts (title, pub_date, body, modified)
  SELECT CASE WHEN i % 3 = 0 THEN 'The same' ELSE 'Post number ' || i END,
    strftime('%Y-%m-%dT%H:%M:%S.000000Z', CASE WHEN i % 3 = 0 THEN '2010-01-01' ELSE '2020-01-01' END, i || ' minutes'),
    substr('The body of post ' || i || '. ${'lorem ipsum dolor sit amet '.repeat(11)}', 1, 300),
    strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2020-01-01', i || ' minutes')
  FROM numbers`;
const POSTGRES_POSTS = `
  INSERT INTO posts (title, pub_date, body, modified)
  SELECT CASE WHEN i % 3 = 0 THEN 'The same' ELSE 'Post number ' || i END,
    to_char(CASE WHEN i % 3 = 0 THEN timestamp '2010-01-01' ELSE timestamp '2020-01-01' END + i * interval '1 minute',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    rpad('The body of post ' || i || '. ', 300, 'lorem ipsum dolor sit amet '),
    to_char(timestamp '2020-01-01' + i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  FROM generate_series(1, ${POSTS}) AS i`;

/** Fills a SQLite file. @returns how to explain and to time a statement on it, and how to end */
async function openSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'posts-statements-'));
  const path = join(folder, 'posts.sqlite');
  await migrate(`sqlite:${path}`);
  const database = new sqlite3.Database(path);
  /** @type {(text: string, parameters?: readonly unknown[]) => Promise<any[]>} */
  const all = promisify(database.all.bind(database));
  await all(SQLITE_POSTS);
  for (const statement of rowsForPlans('sqlite')) await all(statement);
  return {
    version: `SQLite ${(await all('SELECT sqlite_version() AS version'))[0].version}`,
    /** @param {Bound} bound */
    async explain({ text, parameters }) {
      const rows = await all(`EXPLAIN QUERY PLAN ${text}`, parameters);
      const depths = new Map([[0, 0]]);
      return rows
        .map(({ id, parent, detail }) => {
          const depth = depths.get(parent) ?? 0;
          depths.set(id, depth + 1);
          return `${'  '.repeat(depth)}${detail}`;
        })
        .join('\n');
    },
    /** Processor time, which another process on the machine does not change. */
    async timeOf(/** @type {Bound} */ { text, parameters }) {
      const before = process.cpuUsage();
      await all(text, parameters);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    },
    async end() {
      await promisify(database.close.bind(database))();
      await rm(folder, { recursive: true });
    },
  };
}

/** As {@link openSqlite}, on a PostgreSQL server. */
async function openPostgres() {
  const server = await PostgresServer.start(['shared_buffers = 256MB']);
  await server.query('CREATE DATABASE statements');
  const url = server.url('statements');
  await migrate(url);
  const client = new Client(url);
  await client.connect();
  await client.query(POSTGRES_POSTS);
  for (const statement of rowsForPlans('postgres')) await client.query(statement);
  await client.query('VACUUM ANALYZE');
  return {
    version: `PostgreSQL ${(await client.query('SHOW server_version')).rows[0].server_version.replace(/ .*/, '')}`,
    /** @param {Bound} bound */
    async explain({ text, parameters: values }) {
      const { rows } = await client.query({ text: `EXPLAIN (COSTS OFF) ${text}`, values });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    },
    /** @param {Bound} bound */
    async timeOf({ text, parameters: values }) {
      const startedAt = performance.now();
      await client.query({ text, values });
      return performance.now() - startedAt;
    },
    async end() {
      await client.end();
      await server.remove();
    },
  };
}

/** @param {'sqlite' | 'postgres'} name */
function rowsForPlans(name) {
  return catalogues.flatMap((each) => each.rowsForPlans?.[name] ?? []);
}

/** @param {string} url */
async function migrate(url) {
  const { database } = readSettings({ DATABASE_URL: url }, { isTerminal: false });
  await (await openDataSource(writerOptions(database))).destroy();
}

/** @param {any} dialect @param {typeof openSqlite | typeof openPostgres} open */
async function write(dialect, open) {
  const database = await open();
  try {
    const statements = [];
    for (const { name, query, values } of catalogues.flatMap((each) => each.statementCatalogue(dialect))) {
      const bound = query.bind(values);
      statements.push({ name, text: bound.text, plan: await database.explain(bound) });
      if (!query.isRead) continue;
      const times = [];
      for (let run = 0; run < 3; run++) times.push(await database.timeOf(bound));
      process.stderr.write(`${dialect.name}: ${name}: ${Math.min(...times).toFixed(1)} ms\n`);
    }
    return { name: dialect.name, version: database.version, statements };
  } finally {
    await database.end();
  }
}

const databases = [];
databases.push(await write(dialects.sqliteDialect, openSqlite));
databases.push(await write(dialects.postgresDialect, openPostgres));
await writeFile(FILE, statementsPage(databases, POSTS));
