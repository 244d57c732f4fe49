import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from '../compiled-query.js';
import { writerOptions } from '../data-source-options.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteDatabase } from './sqlite-database.js';

/** 2 MiB. */
const FILL = CompiledQuery.fromText(`
  WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000)
  INSERT INTO words SELECT hex(randomblob(1000)) FROM numbers
`);
const COUNT = CompiledQuery.fromText('SELECT count(*) AS "count" FROM words');
const MIB = 1_048_576;

let folder: string;
let path: string;
let database: SqliteDatabase;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-service-'));
  path = join(folder, 'words.sqlite');
  const dataSource = await new SqliteDataSource(writerOptions({ kind: 'sqlite', path })).initialize();
  await dataSource.sqlite.execute('CREATE TABLE words (word text)');
  database = await SqliteDatabase.open(dataSource);
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function fill(times: number): Promise<void> {
  for (let time = 0; time < times; time++) await database.write((transaction) => transaction.all(FILL));
}

const bytesOf = async (file: string): Promise<number> => (await stat(file)).size;

describe('SqliteCheckpoints', () => {
  it('writes back what the log holds, which begins anew although writes go on', async () => {
    // 80 MiB in all.
    await fill(40);
    expect(await bytesOf(`${path}-wal`)).toBeLessThan(32 * MIB);
    expect(await bytesOf(path)).toBeGreaterThan(40 * MIB);
  });

  it('leaves what a reader needs, and writes it back after that', async () => {
    const snapshot = await database.snapshot();
    await fill(20);
    expect(await snapshot.all(COUNT)).toEqual([{ count: 0 }]);
    const kept = await bytesOf(`${path}-wal`);
    expect(kept).toBeGreaterThan(32 * MIB);
    expect(await bytesOf(path)).toBeLessThan(MIB);
    await snapshot.close();
    await fill(30);
    // It is not cut, but it is not longer either.
    expect(await bytesOf(`${path}-wal`)).toBeLessThan(kept + 32 * MIB);
    expect(await database.reader.all(COUNT)).toEqual([{ count: 50_000 }]);
    expect(await bytesOf(path)).toBeGreaterThan(60 * MIB);
  });
});
