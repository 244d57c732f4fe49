import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { SqliteConnection } from './sqlite-connection.js';

/** Counts for some 100 ms. Different texts are different statements. */
const slow = (number: number) => `
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT max(i) + ${number} AS last FROM n`;

const path = join(temporaryFolder(), 'words.sqlite');
let reader: SqliteConnection;
let writer: SqliteConnection;
beforeEach(async () => {
  writer = await SqliteConnection.open(path);
  reader = await SqliteConnection.open(path);
});

describe('SqliteConnection', () => {
  it('leaves threads to other connections while many slow statements wait for their turn', async () => {
    const ended: string[] = [];
    const reads = Array.from({ length: 8 }, async (_, number) => {
      await reader.query(slow(number));
      ended.push('read');
    });
    await writer.query('CREATE TABLE words (word text)');
    await writer.query(`INSERT INTO words VALUES ('a')`);
    ended.push('write');
    await Promise.all(reads);
    expect(ended.indexOf('write')).toBeLessThan(4);
    await Promise.all([reader.close(), writer.close()]);
  });

  it('runs the statements that wait before it closes', async () => {
    const reads = Array.from({ length: 5 }, (_, number) => reader.query(slow(number)));
    const closed = Promise.all([reader.close(), writer.close()]);
    expect(await Promise.all(reads)).toHaveLength(5);
    await closed;
  });

  it('cancels the statements that wait, too', async () => {
    const reads = Array.from({ length: 5 }, () => reader.query(slow(0).replace('1000000', '1e12')));
    const outcomes = Promise.allSettled(reads);
    await Promise.all([reader.abort(), writer.close()]);
    expect((await outcomes).map(({ status }) => status)).toEqual(Array.from(reads, () => 'rejected'));
  });
});
