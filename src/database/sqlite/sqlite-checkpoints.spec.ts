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

async function fill(times: number, intervalMs = 0): Promise<void> {
  const checkpoints = await SqliteCheckpoints.open(path, intervalMs);
  for (let time = 0; time < times; time++) {
    await connection.query(FILL);
    await checkpoints.betweenTransactions();
  }
  await checkpoints.close();
}

const mebibytesOf = async (part = ''): Promise<number> => (await stat(path + part)).size / 1_048_576;

describe('SqliteCheckpoints', () => {
  it('checkpoints the log, so that it restarts during continuous writes', async () => {
    await fill(30);
    expect(await mebibytesOf()).toBeGreaterThan(32);
    expect(await mebibytesOf('-wal')).toBeLessThan(30);
  });

  it('waits between checkpoints', async () => {
    await fill(5, HOUR_MS);
    expect(await mebibytesOf('-wal')).toBeGreaterThan(8);
    expect(await mebibytesOf()).toBeLessThan(1);
  });
});
