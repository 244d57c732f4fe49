import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { createLogger } from '../logging/logger.js';
import { Post } from '../posts/post.entity.js';
import { CompiledQuery } from './compiled-query.js';
import { writerOptions } from './data-source-options.js';
import { TypeOrmLog } from './database.module.js';
import { migrate } from './open-database.js';
import { SqliteDataSource } from './sqlite/sqlite-data-source.js';

let folder: string;
const opened: SqliteDataSource[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => Promise.all(opened.splice(0).map((dataSource) => dataSource.destroy())));

/** A data source on the file of the test, as another process would open it. */
async function open(overrides: object = {}): Promise<SqliteDataSource> {
  const options = writerOptions({ kind: 'sqlite', path: join(folder, 'posts.sqlite') });
  const dataSource = new SqliteDataSource({ ...options, entities: [Post], ...overrides });
  opened.push(await dataSource.initialize());
  return dataSource;
}

/** The statements that TypeORM needs to match the schema to the entities; empty when they match. */
async function driftOf(dataSource: SqliteDataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

async function schemaOf(dataSource: SqliteDataSource): Promise<string[]> {
  const rows = await dataSource.sqlite.all<{ sql: string }>(
    CompiledQuery.fromText(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT IN ('migrations', 'sqlite_sequence') ORDER BY name",
    ),
  );
  return rows.map(({ sql }) => sql);
}

describe('migrate', () => {
  it('runs each migration once when several processes start at once', async () => {
    // Opened one by one: TypeORM switches a new file to WAL mode before it sets the busy timeout. (A lock keeps services
    // apart that start at the same time.)
    const dataSources: SqliteDataSource[] = [];
    for (let count = 0; count < 4; count++) dataSources.push(await open());
    await Promise.all(dataSources.map((dataSource) => migrate(dataSource)));
    const runs = await dataSources[0]!.query('SELECT name FROM migrations');
    expect(runs).toHaveLength(dataSources[0]!.migrations.length);
    for (const dataSource of dataSources) expect(await driftOf(dataSource)).toEqual([]);
  });

  it('rolls back a failed migration and the ones before it in the same run, and logs only the failure', async () => {
    class Fails9999999999999 implements MigrationInterface {
      async up(queryRunner: QueryRunner): Promise<void> {
        await queryRunner.query('CREATE TABLE half (a integer)');
        throw new Error('half way');
      }
      async down(): Promise<void> {}
    }
    const { migrations } = writerOptions({ kind: 'sqlite', path: 'unused' });
    const lines: string[] = [];
    const logger = createLogger(
      { logLevel: 'trace', logFormat: 'json' },
      { write: (line) => lines.push(line) },
    );
    const dataSource = await open({
      migrations: [...(migrations as []), Fails9999999999999],
      logger: new TypeOrmLog(logger),
    });
    await expect(migrate(dataSource)).rejects.toThrow('half way');
    expect(await schemaOf(dataSource)).toEqual([]);
    const msg = 'Migration "Fails9999999999999" failed, error: half way';
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'error', msg }),
    ]);

    const upgraded = await open();
    await migrate(upgraded);
    expect(await driftOf(upgraded)).toEqual([]);
  });
});
