import type { DataSource } from 'typeorm';
import { assertEntitiesFit } from '../../src/database/assert-entities-fit.js';
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

/** Reverts the migration of this name and all later ones. */
async function undoTo(dataSource: DataSource, name: string): Promise<void> {
  const runs: { name: string }[] = await dataSource.query('SELECT name FROM migrations ORDER BY id DESC');
  const last = runs.findIndex((run) => run.name.startsWith(name));
  expect(last).toBeGreaterThanOrEqual(0);
  for (const _ of runs.slice(0, last + 1)) await dataSource.undoLastMigration();
}

const STATE = 'SELECT feed_id, hidden_from, hidden_to, search_version FROM posts_state';

describe('the migrations', () => {
  it('create the schema of the entities, can be reverted, and create it again', async () => {
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

  it('are missed at the start when an entity has a column that they do not create', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      await assertEntitiesFit(dataSource);
      await dataSource.query('ALTER TABLE api_tokens RENAME COLUMN expires_at TO later');
      await expect(assertEntitiesFit(dataSource)).rejects.toThrow(
        'The schema lacks the column api_tokens.expires_at of the entity ApiToken: a migration is missing.',
      );
      await dataSource.query('ALTER TABLE api_tokens RENAME COLUMN later TO expires_at');
    } finally {
      await dataSource.destroy();
    }
  });

  it('create no table without an entity, except for the search index', async () => {
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

  it('keep the row of posts_state when they add and remove its primary key', async () => {
    const dataSource = await openDataSource();
    try {
      await migrate(dataSource);
      await dataSource.query("UPDATE posts_state SET hidden_from = 3, hidden_to = 5, search_version = 'x'");
      const state = await dataSource.query(STATE);
      expect(state).toMatchObject([{ hidden_from: 3, hidden_to: 5, search_version: 'x' }]);
      await undoTo(dataSource, 'KeyPostsState');
      expect(await dataSource.query(STATE)).toEqual(state);
      await migrate(dataSource);
      expect(await dataSource.query(STATE)).toEqual(state);
      expect(await driftOf(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('set the modification time of each post from its history', async () => {
    const dataSource = await openDataSource();
    const changesOf = () =>
      dataSource.query('SELECT sum(posts) AS posts, sum(changes) AS changes FROM posts_counters');
    try {
      await migrate(dataSource);
      await undoTo(dataSource, 'AddPostsModified');
      const startedAt = new Date().toISOString();
      for (const [title, version] of [
        ['changed', 3],
        ['created', 1],
        ['without history', 1],
      ])
        await dataSource.query(
          `INSERT INTO posts (title, pub_date, body, version) VALUES ('${title}', '2001-01-01T00:00:00.000000Z', '', ${version})`,
        );
      const posts: { id: number }[] = await dataSource.query('SELECT id FROM posts ORDER BY id');
      const [changed, created] = posts.map(({ id }) => id);
      for (const [postId, lastPostId, number, action, at] of [
        [changed, created, 1, 'created', '2026-01-01T00:00:00.123456Z'],
        [changed, changed, 2, 'changed', '2026-01-03T00:00:00.000000Z'],
        [changed, changed, 3, 'changed', '2026-01-02T00:00:00.123456Z'],
      ])
        await dataSource.query(
          `INSERT INTO post_revisions (post_id, last_post_id, number, action, at, author_kind)
           VALUES (${postId}, ${lastPostId}, ${number}, '${action}', '${at}', 'api')`,
        );
      const before: unknown = await changesOf();

      await migrate(dataSource);
      const rows: { modified: string }[] = await dataSource.query('SELECT modified FROM posts ORDER BY id');
      const [ofChange, ofCreation, withoutHistory] = rows.map(({ modified }) => modified);
      // The mark says that there may have been another change in the same second.
      expect([ofChange, ofCreation]).toEqual(['2026-01-02T00:00:00.123001Z', '2026-01-01T00:00:00.123456Z']);
      const [{ modified }] = await dataSource.query('SELECT max(modified) AS modified FROM posts_counters');
      for (const time of [withoutHistory, modified]) {
        expect(time).toMatch(/^[\d-]{10}T[\d:]{8}\.\d{3}000Z$/);
        expect(time >= startedAt.slice(0, 19)).toBe(true);
      }
      expect(await changesOf()).toEqual(before);
      expect(await driftOf(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });
});
