// In JavaScript, because jest does not transpile globalSetup as an ES module.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import buildChanges from './build.js';
import { PostgresServer, queryOnce } from './postgres-server.js';

const BUILT = join(import.meta.dirname, '../../dist/src');

/**
 * Builds what has changed, and makes what all test files share: a SQLite file and a PostgreSQL database with the present
 * schema, to copy (a migration takes longer than most tests), and a PostgreSQL server, unless TEST_DATABASE_URL names one.
 *
 * @param {unknown} _
 * @param {{ globals: { TEST_DATABASE?: string } }} project
 */
export default async function globalSetup(_, { globals }) {
  if (!process.env['TEST_SQLITE_TEMPLATE']) {
    await buildChanges();
    const folder = await mkdtemp(join(tmpdir(), 'posts-template-'));
    const path = join(folder, 'posts.sqlite');
    await migrate(`sqlite:${path}`);
    Object.assign(process.env, { TEST_SQLITE_TEMPLATE: path });
    Object.assign(globalThis, { sqliteTemplateFolder: folder });
  }
  if (globals.TEST_DATABASE === 'postgres') await preparePostgres();
}

async function preparePostgres() {
  if (!process.env['TEST_DATABASE_URL']) {
    const server = await PostgresServer.start();
    process.env['TEST_DATABASE_URL'] = server.url();
    Object.assign(globalThis, { postgresServer: server });
  }
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const name = `posts_template_${process.pid}`;
  // A collation that is not by code point, so that an order by code point is the service's own doing.
  const collation = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
  await queryOnce(url.href, `CREATE DATABASE ${name} TEMPLATE template0 ${collation}`);
  url.pathname = name;
  await migrate(url.href);
  process.env['TEST_POSTGRES_TEMPLATE'] = name;
}

/** @param {string} url of an empty database */
async function migrate(url) {
  // Built just before, so it cannot be imported when this file is loaded.
  const [{ openDataSource }, { writerOptions }, { readSettings }] = await Promise.all(
    ['database/open-database.js', 'database/data-source-options.js', 'settings/settings.js'].map(
      (name) => import(pathToFileURL(join(BUILT, name)).href),
    ),
  );
  const { database } = readSettings({ DATABASE_URL: url }, { isTerminal: false });
  const dataSource = await openDataSource(writerOptions(database));
  await dataSource.destroy();
}
