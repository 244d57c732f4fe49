import type { DataSource } from 'typeorm';
import { migrate } from '../src/database/migrate.js';
import { freshDatabase } from './support/database.js';

const database = await freshDatabase();
afterAll(() => database.remove());

/** The data source of TypeORM's CLI, which knows all entities. */
async function openDataSource(): Promise<DataSource> {
  process.env['DATABASE_URL'] = database.url;
  const { default: dataSource } = await import('../ormconfig.js');
  return dataSource.isInitialized ? dataSource : dataSource.initialize();
}

/** The statements by which TypeORM would make the schema fit the entities; none when it does. */
async function driftOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

describe('the migrations', () => {
  it('make the schema that the entities describe, can be taken back, and make it again', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
      const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
      expect(await dataSource.query(tables)).toEqual([{ table_name: 'migrations' }]);
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });
});
