import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { SqliteCheckpoints } from './sqlite-checkpoints.js';
import { SqliteConnection } from './sqlite-connection.js';

/** 2 MiB. */
const FILL = `
  WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1000)
  INSERT INTO words SELECT hex(randomblob(1000)) FROM numbers
`;
const MIB = 1_048_576;
const HOUR_MS = 3_600_000;

let path: string;
let connection: SqliteConnection;

beforeEach(async () => {
  path = join(temporaryFolder(), 'words.sqlite');
  connection = await SqliteConnection.open(path);
  for (const pragma of ['journal_mode = WAL', 'wal_autocheckpoint = 0'])
    await connection.query(`PRAGMA ${pragma}`);
  await connection.query('CREATE TABLE words (word text)');
});
afterEach(() => connection.close());

async function fill(times: number, intervalMs: number): Promise<void> {
  const checkpoints = await SqliteCheckpoints.open(path, intervalMs);
  for (let time = 0; time < times; time++) {
    await connection.query(FILL);
    await checkpoints.betweenTransactions();
  }
  await checkpoints.close();
}

const bytesOf = async (file: string): Promise<number> => (await stat(file)).size;

describe('SqliteCheckpoints', () => {
  it('checkpoints the log, so that it restarts during continuous writes', async () => {
    await fill(30, 0);
    expect(await bytesOf(path)).toBeGreaterThan(32 * MIB);
    expect(await bytesOf(`${path}-wal`)).toBeLessThan(30 * MIB);
  });

  it('waits between checkpoints', async () => {
    await fill(5, HOUR_MS);
    expect(await bytesOf(`${path}-wal`)).toBeGreaterThan(8 * MIB);
    expect(await bytesOf(path)).toBeLessThan(MIB);
  });

  it('keeps the pages that a reader needs, and checkpoints them later', async () => {
    const reader = await SqliteConnection.open(path);
    await reader.query('BEGIN');
    expect(await reader.query('SELECT count(*) AS count FROM words')).toEqual([{ count: 0 }]);
    await fill(10, 0);
    expect(await bytesOf(path)).toBeLessThan(MIB);
    await reader.query('COMMIT');
    await fill(4, 0);
    expect(await bytesOf(path)).toBeGreaterThan(16 * MIB);
    expect(await reader.query('SELECT count(*) AS count FROM words')).toEqual([{ count: 14_000 }]);
    await reader.close();
  });
});
