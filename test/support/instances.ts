import { freshPostgresDatabase, type FreshPostgresDatabase } from './database.js';
import { type Service, startService } from './service.js';

/**
 * Three services, started at the same time on one empty PostgreSQL database. They are stopped, and the database is
 * removed, at the end of the file.
 */
export async function startInstances(): Promise<{
  readonly database: FreshPostgresDatabase;
  readonly instances: readonly [Service, Service, Service];
}> {
  const database = await freshPostgresDatabase();
  afterAll(() => database.remove());
  const start = () => startService({ DATABASE_URL: database.url, PUBLIC_URL: 'http://posts.test' });
  return { database, instances: await Promise.all([start(), start(), start()]) };
}
