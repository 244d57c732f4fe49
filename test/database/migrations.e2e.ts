import type { DataSource } from 'typeorm';
import { migrate } from '../../src/database/open-database.js';
import { freshDatabase } from '../support/database.js';

const database = await freshDatabase();
afterAll(() => database.remove());

const isSqlite = globalThis.TEST_DATABASE === 'sqlite';
/**
 * FTS5 creates its own tables beside the virtual one. On PostgreSQL, the table has a `tsvector`, which SQLite does not
 * have.
 */
const SEARCH_INDEX = isSqlite ? /^posts_search(_(config|content|data|docsize|idx))?$/ : /^posts_search$/;

/** The data source of TypeORM's CLI, with all entities. */
async function openDataSource(): Promise<DataSource> {
  process.env['DATABASE_URL'] = database.url;
  const { default: dataSource } = await import('../../ormconfig.js');
  return dataSource.isInitialized ? dataSource : dataSource.initialize();
}

/** The statements that TypeORM needs to match the schema to the entities; empty when they match. */
async function driftOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

async function tablesOf(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    isSqlite
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  return rows.map(({ name }) => name).filter((name) => name !== 'migrations');
}

const STATE = 'SELECT feed_id, hidden_from, hidden_to, search_version FROM posts_state';

describe('the migrations', () => {
  it('make the schema that the entities describe, can be taken back, and make it again', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
      expect(await tablesOf(dataSource)).toEqual([]);
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('make no table without an entity, except for the search index, which no entity can describe', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
      const others = (await tablesOf(dataSource)).filter((name) => !described.includes(name));
      expect(others.filter((name) => !SEARCH_INDEX.test(name))).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('keep the row of posts_state when they give the table its key, and when they take it back', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      await dataSource.query("UPDATE posts_state SET hidden_from = 3, hidden_to = 5, search_version = 'x'");
      const state = await dataSource.query(STATE);
      expect(state).toMatchObject([{ hidden_from: 3, hidden_to: 5, search_version: 'x' }]);
      const last = dataSource.migrations.findIndex(({ name }) => name?.startsWith('KeyPostsState'));
      for (const _ of dataSource.migrations.slice(last)) await dataSource.undoLastMigration();
      expect(await dataSource.query(STATE)).toEqual(state);
      await migrate(dataSource);
      expect(await dataSource.query(STATE)).toEqual(state);
      expect(await driftOf(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });
});
