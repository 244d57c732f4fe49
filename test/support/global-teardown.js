import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { queryOnce } from './postgres-server.js';

/** Removes what global-setup.js, postgres-setup.js and browser-setup.js created. */
export default async function globalTeardown() {
  const { TEST_SQLITE_TEMPLATE, TEST_DATABASE_URL, TEST_POSTGRES_TEMPLATE } = process.env;
  if (TEST_SQLITE_TEMPLATE) await rm(dirname(TEST_SQLITE_TEMPLATE), { recursive: true, force: true });
  const { browserServer, postgresServer } =
    /** @type {{ browserServer?: import('playwright-core').BrowserServer, postgresServer?: import('./postgres-server.js').PostgresServer }} */ (
      globalThis
    );
  await browserServer?.close();
  if (postgresServer) await postgresServer.remove();
  else if (TEST_DATABASE_URL && TEST_POSTGRES_TEMPLATE)
    await queryOnce(TEST_DATABASE_URL, `DROP DATABASE IF EXISTS ${TEST_POSTGRES_TEMPLATE}`);
}
