import globalSetup, { migrate } from './global-setup.js';
import { PostgresServer, queryOnce } from './postgres-server.js';

/**
 * Also creates what the test files on PostgreSQL share: a server, unless TEST_DATABASE_URL names one, and a template
 * database with the current schema.
 */
export default async function postgresSetup() {
  // At the same time: making a server is the work of other processes.
  await Promise.all([globalSetup(), startServer()]);
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  const name = `posts_template_${process.pid}`;
  // A collation that differs from code point order, so that only the service itself can produce that order.
  const collation = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
  await queryOnce(url.href, `CREATE DATABASE ${name} TEMPLATE template0 ${collation}`);
  url.pathname = name;
  await migrate(url.href);
  process.env['TEST_POSTGRES_TEMPLATE'] = name;
}

async function startServer() {
  if (process.env['TEST_DATABASE_URL']) return;
  const server = await PostgresServer.start();
  process.env['TEST_DATABASE_URL'] = server.url();
  Object.assign(globalThis, { postgresServer: server });
}
