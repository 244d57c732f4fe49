import { PostgresServer } from './postgres-server.js';

/** Starts the PostgreSQL server that all test files share, unless TEST_DATABASE_URL names one. */
export default async function globalSetup() {
  if (process.env['TEST_DATABASE_URL']) return;
  const server = await PostgresServer.start();
  process.env['TEST_DATABASE_URL'] = server.url();
  Object.assign(globalThis, { removePostgresServer: () => server.remove() });
}
