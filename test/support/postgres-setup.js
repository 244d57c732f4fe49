import globalSetup, { migrate } from './global-setup.js';
import { PostgresServer, queryOnce } from './postgres-server.js';

/**
 * Makes what the test files on PostgreSQL share, too: a server, unless TEST_DATABASE_URL names one, and a database with the
 * present schema, to copy.
 */
export default async function postgresSetup() {
  await globalSetup();
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
