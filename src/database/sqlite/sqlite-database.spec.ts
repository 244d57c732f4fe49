import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { CompiledQuery } from '../compiled-query.js';
import { writerOptions } from '../data-source-options.js';
import type { Transaction } from '../database.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Some hundred milliseconds. */
const SLOW = CompiledQuery.fromText(`
  WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 1000000)
  SELECT count(*) AS "count" FROM number
`);
const QUICK = CompiledQuery.fromText('SELECT 1 AS "one"');

describe('SqliteDatabase', () => {
  let folder: string;
  let database: SqliteDatabase;

  beforeAll(async () => {
    folder = temporaryFolder();
    const options = writerOptions({ kind: 'sqlite', path: join(folder, 'posts.sqlite') });
    database = await SqliteDatabase.open(await new SqliteDataSource(options).initialize());
  });

  afterAll(() => database.close());

  it('answers other queries while a slow query of a snapshot runs', async () => {
    const ended: string[] = [];
    const snapshot = await database.snapshot();
    await Promise.all([
      snapshot.all(SLOW).then(() => ended.push('slow')),
      database.reader.all(QUICK).then(() => ended.push('quick')),
    ]);
    await snapshot.close();
    expect(ended).toEqual(['quick', 'slow']);
  });

  it('cannot write through its reader', async () => {
    await expect(database.reader.all(CompiledQuery.fromText('CREATE TABLE a (b)'))).rejects.toMatchObject({
      cause: { code: 'SQLITE_READONLY' },
    });
  });

  it('finishes waiting writes before it closes, and refuses later ones', async () => {
    const options = writerOptions({ kind: 'sqlite', path: join(folder, 'closed.sqlite') });
    const closed = await SqliteDatabase.open(await new SqliteDataSource(options).initialize());
    const create = (table: string) => (transaction: Transaction) =>
      transaction.all(CompiledQuery.fromText(`CREATE TABLE ${table} (id)`));
    const before = [closed.write(create('a')), closed.writeInBackground(create('b'))];
    await closed.close();
    await expect(Promise.all(before)).resolves.toHaveLength(2);
    await expect(closed.write(create('c'))).rejects.toBeInstanceOf(Error);
  });
});
