import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from '../compiled-query.js';
import { writerOptions } from '../data-source-options.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteDatabase } from './sqlite-database.js';
import { WalIndex } from './write-ahead-log.js';

/** 2 MiB. */
const FILL = CompiledQuery.fromText(`
  WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000)
  INSERT INTO words SELECT hex(randomblob(1000)) FROM numbers
`);
const COUNT = CompiledQuery.fromText('SELECT count(*) AS "count" FROM words');
const MIB = 1_048_576;
const PAGE_BYTES = 4_096;

let folder: string;
let path: string;
let database: SqliteDatabase;
let walIndex: WalIndex;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-service-'));
  path = join(folder, 'words.sqlite');
  const dataSource = await new SqliteDataSource(writerOptions({ kind: 'sqlite', path })).initialize();
  await dataSource.sqlite.execute('CREATE TABLE words (word text)');
  database = await SqliteDatabase.open(dataSource);
  walIndex = new WalIndex(path);
});
afterEach(async () => {
  await database.close();
  walIndex.close();
  await rm(folder, { recursive: true });
});

async function fill(times: number): Promise<void> {
  for (let time = 0; time < times; time++) await database.write((transaction) => transaction.all(FILL));
}

/** Writes until the log restarts, which happens after a complete checkpoint. */
async function fillUntilLogBeginsAnew(): Promise<void> {
  for (let pages = 0; pages <= walIndex.logPages;) {
    pages = walIndex.logPages;
    await fill(1);
  }
}

const bytesOf = async (file: string): Promise<number> => (await stat(file)).size;

describe('SqliteCheckpoints', () => {
  it('checkpoints the log, so that it restarts during continuous writes', async () => {
    await fill(10);
    await fillUntilLogBeginsAnew();
    expect(await bytesOf(path)).toBeGreaterThan(16 * MIB);
    expect(walIndex.logPages * PAGE_BYTES).toBeLessThan(4 * MIB);
  });

  it('does not checkpoint a short log', async () => {
    await fill(6);
    expect(walIndex.logPages).toBeGreaterThan(3_000);
    expect(await bytesOf(path)).toBeLessThan(MIB);
  });

  it('keeps the pages that a reader needs, and checkpoints them later', async () => {
    const snapshot = await database.snapshot();
    await fill(20);
    expect(await snapshot.all(COUNT)).toEqual([{ count: 0 }]);
    expect(await bytesOf(`${path}-wal`)).toBeGreaterThan(32 * MIB);
    expect(await bytesOf(path)).toBeLessThan(MIB);
    await snapshot.close();
    await fillUntilLogBeginsAnew();
    expect(await bytesOf(path)).toBeGreaterThan(32 * MIB);
    const [{ count }] = (await database.reader.all(COUNT)) as [{ count: number }];
    expect(count % 1_000).toBe(0);
    expect(count).toBeGreaterThan(20_000);
  });
});
