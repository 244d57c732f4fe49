import { hash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataSource, getMetadataArgsStorage, type MigrationInterface, type QueryRunner } from 'typeorm';
import ofCli from '../../ormconfig.js';
import { SchemaDataSource } from '../../src/database/data-source.js';
import { writerOptions } from '../../src/database/data-source-options.js';
import { TypeOrmLog } from '../../src/database/database.module.js';
import { assertOurMigrations } from '../../src/database/assert-our-migrations.js';
import { MIGRATIONS, nameOf } from '../../src/database/migrations.js';
import { findMissingMigrations } from '../../src/database/missing-migrations.js';
import { migrate } from '../../src/database/migrate.js';
import { createLogger } from '../../src/logging/logger.js';
import { readSettings } from '../../src/settings/settings.js';
import { AdminClient } from '../support/admin.js';
import { runCommand } from '../support/command.js';
import { type FreshDatabase, freshDatabase } from '../support/database.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { CreateExampleComments1764990000000 } from './comments/1764990000000-create-comments.js';
import { OF_1_1, ROWS_OF_1_1 } from './rows-of-version-1.1.js';

type Class = new () => object;

/** The entities of a folder, in its files `*.entity.ts`. */
async function entitiesOf(folder: string): Promise<Class[]> {
  const root = join(import.meta.dirname, '../..', folder);
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.entity.ts'));
  const modules = await Promise.all(files.map((name) => import(join(root, name)) as Promise<object>));
  const tables = new Set(getMetadataArgsStorage().tables.map(({ target }) => target));
  return modules.flatMap((module) => Object.values(module) as Class[]).filter((each) => tables.has(each));
}

const ENTITIES = await entitiesOf('src');

const isSqlite = globalThis.TEST_DATABASE === 'sqlite';
/**
 * FTS5 creates its own tables beside the virtual one. On PostgreSQL, the table has a `tsvector`, which SQLite does not
 * have.
 */
const SEARCH_INDEX = isSqlite ? /^posts_search(_(config|content|data|docsize|idx))?$/ : /^posts_search$/;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function emptyDatabase(): Promise<FreshDatabase> {
  const database = await freshDatabase();
  cleanUps.push(() => database.remove());
  if (isSqlite) await rm(database.url.replace('sqlite:', ''));
  else await database.execute('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return database;
}

/** A database that version 1.1 has made and written to. The first migration makes its schema. */
async function databaseOfVersion11(): Promise<FreshDatabase> {
  const old = await emptyDatabase();
  const dataSource = await open(old, { migrations: MIGRATIONS.slice(0, 1) });
  await migrate(dataSource);
  await dataSource.destroy();
  const values = isSqlite ? ' VALUES' : ' OVERRIDING SYSTEM VALUE VALUES';
  await old.execute(ROWS_OF_1_1.replaceAll(' VALUES', values) + OF_1_1[globalThis.TEST_DATABASE]);
  return old;
}

/** Opens a database with all entities, as TypeORM's CLI does. */
async function open({ url }: FreshDatabase, overrides: object = {}): Promise<DataSource> {
  const { database } = readSettings({ DATABASE_URL: url }, { isTerminal: false });
  const dataSource = new SchemaDataSource({ ...writerOptions(database), entities: ENTITIES, ...overrides });
  await dataSource.initialize();
  cleanUps.push(async () => dataSource.isInitialized && dataSource.destroy());
  return dataSource;
}

/** Columns that instances of 1.1 need, which may run beside this version. */
const OF_VERSION_1_1 = /^ALTER TABLE "posts_state" DROP COLUMN "(hidden_from|hidden_to|importing_since)"$/;

/** The statements that TypeORM needs to match the schema to the entities; empty when they match. */
async function driftOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query).filter((query) => !OF_VERSION_1_1.test(query));
}

async function tablesOf(dataSource: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await dataSource.query(
    isSqlite
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  return rows.map(({ name }) => name).filter((name) => name !== 'migrations');
}

/** The triggers and functions of a database, which no entity describes. */
async function programsOf(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string; sql: string }[]>(
    isSqlite
      ? "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
      : `SELECT proname AS name, prosrc AS sql FROM pg_proc WHERE pronamespace = CAST('public' AS regnamespace)
         UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
  );
  return rows.map(({ name, sql }) => `${name} ${sql.replaceAll(/\s+/g, '')}`);
}

/** What a migration must leave as it is. */
const UNCHANGED = [
  'SELECT id, title, pub_date, body, version, modified FROM posts ORDER BY id',
  'SELECT * FROM post_revisions ORDER BY id',
  'SELECT * FROM accounts',
  'SELECT id, account_id, expires_at FROM sessions',
  'SELECT * FROM api_tokens',
  'SELECT * FROM idempotency_keys',
  'SELECT * FROM secrets ORDER BY name',
  'SELECT feed_id, search_version FROM posts_state',
  'SELECT sum(posts) AS posts, sum(changes) AS changes, max(modified) AS modified FROM posts_counters',
];

describe('the migrations', () => {
  it('are of all entities that the service has', () => {
    expect(ofCli.options.entities).toEqual(expect.arrayContaining(ENTITIES));
  });

  it.each([
    ['the service', 'src', MIGRATIONS],
    [
      'the example of a resource',
      'test/database/comments',
      [...MIGRATIONS, CreateExampleComments1764990000000],
    ],
  ])(
    'of %s create the schema of the entities and no other table, and can be reverted up to the first',
    async (_, folder, migrations) => {
      const entities = [...new Set([...ENTITIES, ...(await entitiesOf(folder))])];
      const dataSource = await open(await emptyDatabase(), { entities, migrations });
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
      const described = dataSource.entityMetadatas.map(({ tableName }) => tableName);
      const others = (await tablesOf(dataSource)).filter((name) => !described.includes(name));
      expect(others.filter((name) => !SEARCH_INDEX.test(name))).toEqual([]);
      for (let count = 1; count < dataSource.migrations.length; count++) await dataSource.undoLastMigration();
      const ofFirst = await open(await emptyDatabase(), { migrations: MIGRATIONS.slice(0, 1) });
      await migrate(ofFirst);
      expect(await tablesOf(dataSource)).toEqual(await tablesOf(ofFirst));
      await migrate(dataSource);
      expect(await driftOf(dataSource)).toEqual([]);
    },
  );

  it('run once each when several processes start at once', async () => {
    const database = await emptyDatabase();
    // Opened one by one: TypeORM switches a new file to WAL mode before it sets the busy timeout. (A lock keeps services
    // apart that start at the same time.)
    const dataSources: DataSource[] = [];
    for (let count = 0; count < 4; count++) dataSources.push(await open(database));
    await Promise.all(dataSources.map((dataSource) => migrate(dataSource)));
    const [first] = dataSources;
    expect(await first!.query('SELECT name FROM migrations')).toHaveLength(MIGRATIONS.length);
    expect(await driftOf(first!)).toEqual([]);
  });

  it('are all rolled back when one fails, and only this failure is logged', async () => {
    class Fails9999999999999 implements MigrationInterface {
      async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('CREATE TABLE half (a integer)');
        throw new Error('half way');
      }
      async down(): Promise<void> {}
    }
    const lines: string[] = [];
    const settings = { logLevel: 'trace', logFormat: 'json' } as const;
    const logger = createLogger(settings, { write: (line) => lines.push(line) });
    const migrations = [...MIGRATIONS, Fails9999999999999];
    const dataSource = await open(await emptyDatabase(), { migrations, logger: new TypeOrmLog(logger) });
    await expect(migrate(dataSource)).rejects.toThrow('half way');
    expect(await tablesOf(dataSource)).toEqual([]);
    const msg = 'Migration "Fails9999999999999" failed, error: half way';
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 'warn', msg }]);
  });

  it('refuse a database of version 1.0, with what to do', () => {
    expect(() => assertOurMigrations('The database', ['CreatePosts1763650000000'], true)).toThrow(
      'The database is of version 1.0; start version 1.1 on it once, which upgrades it, and then this version.',
    );
  });
});

/** Rows that only some databases have: a killed import of 1.1 on SQLite, a post with many words on PostgreSQL. */
const RARE_ROWS = {
  sqlite: `
    INSERT INTO posts VALUES (7, 'Staged', '2026-11-23T17:33:36.349000Z', '', 1, '2026-11-23T17:33:36.356000Z');
    INSERT INTO posts_search (rowid, words) VALUES (7, 'staged');
    UPDATE posts_state SET hidden_from = 7, hidden_to = 7`,
  postgres: `INSERT INTO posts_search VALUES (2, 1, 'more'), (2, 2, 'words')`,
};

/** The locks of this transaction that hold up requests to a table. */
const LOCKS = `
  SELECT relname AS table, CASE WHEN bool_or(mode = 'AccessExclusiveLock') THEN 'ACCESS EXCLUSIVE' ELSE min(mode) END AS mode
  FROM pg_locks JOIN pg_class ON pg_class.oid = relation
  WHERE pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = CAST('public' AS regnamespace)
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  GROUP BY relname ORDER BY relname`;
/** The rows that this transaction has inserted, changed and deleted. */
const TOUCHED = `
  SELECT relname AS table, CAST(n_tup_ins + n_tup_upd + n_tup_del AS integer) AS touched FROM pg_stat_xact_user_tables
  WHERE n_tup_ins + n_tup_upd + n_tup_del > 0`;

/** Runs a migration alone. @returns what it has locked of the tables before it, and the rows that it has touched, by table */
async function observe(dataSource: DataSource, migration: MigrationInterface) {
  const tables = await tablesOf(dataSource);
  const numbers = async () => {
    const found = new Map<string, number>();
    for (const table of await tablesOf(dataSource)) {
      const [row] = await dataSource.query<{ n: number }[]>(`SELECT count(*) AS n FROM "${table}"`);
      found.set(table, row!.n);
    }
    return found;
  };
  if (isSqlite) {
    // No migration changes a row: each is inserted or deleted.
    const before = await numbers();
    await migration.up(dataSource.createQueryRunner());
    const touched = [...(await numbers())].map(([table, n]) => [
      table,
      Math.abs(n - (before.get(table) ?? 0)),
    ]);
    return { locks: [], touched: Object.fromEntries(touched) as Record<string, number> };
  }
  const runner = dataSource.createQueryRunner();
  await runner.query('BEGIN');
  // They may still have those of earlier transactions.
  const before = await touchedBy(runner);
  await migration.up(runner);
  const locks = (await rowsOf<{ table: string; mode: string }>(runner, LOCKS))
    .filter(({ table }) => tables.includes(table))
    .map(({ table, mode }) => ({
      table,
      mode: mode.replace('ShareRowExclusiveLock', 'SHARE ROW EXCLUSIVE'),
    }));
  const touched = [...(await touchedBy(runner))].map(([table, n]) => [table, n - (before.get(table) ?? 0)]);
  await runner.query('COMMIT');
  await runner.release();
  return { locks, touched: Object.fromEntries(touched) as Record<string, number> };
}

function rowsOf<Row>(runner: QueryRunner, sql: string): Promise<Row[]> {
  return runner.query(sql) as Promise<unknown> as Promise<Row[]>;
}

async function touchedBy(runner: QueryRunner): Promise<Map<string, number>> {
  const rows = await rowsOf<{ table: string; touched: number }>(runner, TOUCHED);
  return new Map(rows.map(({ table, touched }) => [table, touched]));
}

describe('migrate --dry-run', () => {
  /** Compares what is announced for a database with what its migrations do. */
  async function expectTrue(old: FreshDatabase): Promise<void> {
    const { database } = readSettings({ DATABASE_URL: old.url }, { isTerminal: false });
    const missing = await findMissingMigrations(database);
    const dataSource = await open(old);
    const migrations = MIGRATIONS.slice(-missing.length).map((Migration) => new Migration());
    for (const [index, { locks, rows, name }] of missing.entries()) {
      const observed = await observe(dataSource, migrations[index]!);
      expect({ name, locks }).toEqual({ name, locks: observed.locks });
      for (const { table, touched } of rows)
        expect({ name, table, touched }).toEqual({ name, table, touched: observed.touched[table] ?? 0 });
      const unannounced = Object.entries(observed.touched).filter(
        ([table, touched]) =>
          touched > 0 && !SEARCH_INDEX.test(table) && !rows.some((row) => row.table === table),
      );
      expect({ name, unannounced }).toEqual({ name, unannounced: [] });
    }
  }

  it('says of a database of version 1.1 which locks its upgrade takes, and how many rows it touches', async () => {
    const old = await databaseOfVersion11();
    await old.execute(RARE_ROWS[globalThis.TEST_DATABASE]);
    const { database } = readSettings({ DATABASE_URL: old.url }, { isTerminal: false });
    const touched = (await findMissingMigrations(database)).flatMap(({ rows }) => rows);
    const ofDatabase = isSqlite
      ? [
          { table: 'posts_search', touched: 1 },
          { table: 'posts', touched: 1 },
        ]
      : [{ table: 'posts_search', touched: 7 }];
    expect(touched).toEqual([
      { table: 'post_deletions', touched: 1 },
      ...ofDatabase,
      { table: 'post_deletions', touched: 0 },
    ]);
    await expectTrue(old);
  });

  it('says it of a database of version 2.0', async () => {
    const old = await databaseOfVersion11();
    const dataSource = await open(old, { migrations: MIGRATIONS.slice(0, 3) });
    await migrate(dataSource);
    await dataSource.destroy();
    await old.execute(`INSERT INTO post_deletions VALUES (2, '2026-11-23T17:33:37.000000Z')`);
    const { database } = readSettings({ DATABASE_URL: old.url }, { isTerminal: false });
    const missing = await findMissingMigrations(database);
    expect(missing.map(({ name }) => name)).toEqual(MIGRATIONS.slice(3).map(nameOf));
    expect(missing.slice(0, 2)).toMatchObject([
      { name: 'ForgetRestoredDeletions1764000000000', rows: [{ table: 'post_deletions', touched: 1 }] },
      { name: 'SeeAllRunningWrites1764010000000', rows: [] },
    ]);
    await expectTrue(old);
  });

  it('changes nothing, and runs beside a service', async () => {
    const old = await databaseOfVersion11();
    const settings = { folder: tmpdir(), environment: { DATABASE_URL: old.url } };
    const before = await old.query('SELECT name FROM migrations');
    const { status, stdout, stderr } = await runCommand(['migrate', '--dry-run'], settings);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // All but that of version 1.1.
    expect(stdout).toContain(`Missing migrations: ${MIGRATIONS.length - 1}. `);
    expect(stdout).toMatch(
      /^Missing migrations: [^]*Touches rows of post_deletions: 1\.\n[^]*Nothing was changed\.\n$/,
    );
    if (!isSqlite) expect(stdout).toContain('Locks posts (SHARE ROW EXCLUSIVE): writes wait, reads do not.');
    expect(await old.query('SELECT name FROM migrations')).toEqual(before);
    const service = await startService({ DATABASE_URL: old.url });
    expect(await runCommand(['migrate', '--dry-run'], settings)).toEqual({
      status: 0,
      stdout: 'The schema is up to date: nothing would be done.\n',
      stderr: '',
    });
    await service.stop();
  });
});

describe('the upgrade from version 1.1', () => {
  it('begins with its schema, which the first migration makes, and which never changes', async () => {
    const made: string[] = [];
    const query = (sql: string) => made.push(sql.replaceAll(/\s+/g, ' '));
    const connection = { options: { type: globalThis.TEST_DATABASE } };
    await new MIGRATIONS[0]!().up({ connection, query } as unknown as QueryRunner);
    const digests = {
      sqlite: 'D3hh0pr_lTJkImmr3hGhhzHkyjsWkSl2vSurZpFr4_k',
      postgres: 'PpGWAgJ81ttsNrutPuRrHp6VcxUZk6tfQnh7AxhtS7k',
    };
    expect(hash('sha256', made.join(), 'base64url')).toBe(digests[globalThis.TEST_DATABASE]);
  });

  it('keeps posts, history, accounts, sessions, tokens and keys, and makes the schema of the entities', async () => {
    const old = await databaseOfVersion11();
    const dataSource = await open(old);
    const read = <Row>(sql: string) => dataSource.query<Row[]>(sql);
    const before = await Promise.all(UNCHANGED.map(read));
    await migrate(dataSource);
    expect(await driftOf(dataSource)).toEqual([]);
    // Later migrations may have added columns.
    expect(await Promise.all(UNCHANGED.map(read))).toMatchObject(before);
    for (const rows of before) expect(rows).not.toEqual([]);
    // The deletion is known from the history.
    const [deletion] = await read<{ at: string }>(`SELECT at FROM post_revisions WHERE action = 'deleted'`);
    const deletions = await read('SELECT id, deleted_at FROM post_deletions');
    expect(deletions).toEqual([{ id: 3, deleted_at: deletion!.at }]);
    expect(await read('SELECT begun_at FROM sessions')).toEqual([{ begun_at: '1970-01-01T00:00:00.000Z' }]);
    // That of 1.0, and all of ours: the first one counted as done.
    expect(await read('SELECT name FROM migrations')).toHaveLength(1 + MIGRATIONS.length);
  });

  it('makes the triggers and functions of a new database, and the service serves its posts', async () => {
    const old = await databaseOfVersion11();
    const upgraded = await open(old);
    await migrate(upgraded);
    const created = await open(await emptyDatabase());
    await migrate(created);
    expect(await programsOf(upgraded)).toEqual(await programsOf(created));
    await upgraded.destroy();

    const service = await startService({ DATABASE_URL: old.url });
    const titles = async (query: string) =>
      (await service.get(`/posts/?${query}`)).json<PostJson[]>().map(({ title }) => title);
    expect(await titles('ordering=id')).toEqual(['Grüße 🚀', 'Imported', 'Imported too']);
    expect(await service.count()).toBe(3);
    expect((await service.create({ title: 'Seventh' })).id).toBe(7);
    const ada = await AdminClient.logIn(service, 'Ada', 'a long enough password');
    const revisions = (await ada.get('posts/2/revisions/')).json<{ action: string }[]>();
    expect(revisions.map(({ action }) => action)).toEqual(['changed', 'created']);
    const inOrder = ['Grüße 🚀', 'Imported', 'Imported too', 'Seventh'];
    expect(await titles('ordering=title')).toEqual(inOrder);
    await service.stop();
  });
});
