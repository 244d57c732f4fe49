import { rm } from 'node:fs/promises';
import { queryOnce } from './postgres-server.js';

/** Removes what globalSetup has made. */
export default async function globalTeardown() {
  const { sqliteTemplateFolder, postgresServer } =
    /** @type {{ sqliteTemplateFolder?: string, postgresServer?: import('./postgres-server.js').PostgresServer }} */ (
      globalThis
    );
  if (sqliteTemplateFolder) await rm(sqliteTemplateFolder, { recursive: true, force: true });
  const { TEST_DATABASE_URL, TEST_POSTGRES_TEMPLATE } = process.env;
  if (postgresServer) await postgresServer.remove();
  else if (TEST_DATABASE_URL && TEST_POSTGRES_TEMPLATE)
    await queryOnce(TEST_DATABASE_URL, `DROP DATABASE IF EXISTS ${TEST_POSTGRES_TEMPLATE}`);
}
