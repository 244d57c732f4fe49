import { PostgresServer } from './postgres-server.js';

/** jest's globalSetup: one PostgreSQL server for all test files, unless TEST_DATABASE_URL names one. */
export default async function startPostgres() {
  if (process.env['TEST_DATABASE_URL']) return;
  const server = await PostgresServer.start();
  process.env['TEST_DATABASE_URL'] = server.url();
  globalThis.stopPostgres = () => server.remove();
}
