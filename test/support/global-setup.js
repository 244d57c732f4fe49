import buildChanges from './build.js';
import { PostgresServer } from './postgres-server.js';

/** Builds what has changed, and starts the PostgreSQL server that all test files share, unless TEST_DATABASE_URL names one. */
export default async function globalSetup() {
  await buildChanges();
  if (process.env['TEST_DATABASE_URL']) return;
  const server = await PostgresServer.start();
  process.env['TEST_DATABASE_URL'] = server.url();
  Object.assign(globalThis, { removePostgresServer: () => server.remove() });
}
