import { join } from 'node:path';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { writerOptions } from '../data-source-options.js';
import { DatabaseFault } from '../database-fault.js';
import { raw, sql } from '../sql.js';
import { SqliteConnection } from './sqlite-connection.js';
import { SqliteDataSource } from './sqlite-data-source.js';

const folder = temporaryFolder();
const dataSource = new SqliteDataSource(writerOptions({ kind: 'sqlite', path: join(folder, 'a.sqlite') }));
let connection: SqliteConnection;

beforeAll(async () => {
  await dataSource.initialize();
  connection = dataSource.sqlite;
  await connection.query('CREATE TABLE words (word text NOT NULL UNIQUE)');
});
afterAll(() => dataSource.destroy());

/** A query that no other test has prepared yet. */
let count = 0;
const fresh = (words: string) => sql`${raw(`${words} -- ${(count += 1)}`)}`;

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(String, (error: unknown) => error);

describe('SqliteConnection', () => {
  it('rejects each call that waits for a statement that cannot be prepared, and prepares it again', async () => {
    const query = fresh('SELECT * FROM late');
    const faults = await Promise.all([1, 2, 3].map(() => faultOf(connection.all(query))));
    for (const fault of faults) {
      expect(fault).toBeInstanceOf(DatabaseFault);
      expect(fault).toMatchObject({ kind: 'unexpected', cause: { code: 'SQLITE_ERROR' } });
    }
    await connection.query('CREATE TABLE late (a integer)');
    expect(await connection.all(query)).toEqual([]);
  });

  it('runs a statement again after it failed', async () => {
    const insert = sql`INSERT INTO words VALUES (${':word'}) RETURNING word`;
    expect(await connection.all(insert, { word: 'one' })).toEqual([{ word: 'one' }]);
    const fault = await faultOf(connection.all(insert, { word: 'one' }));
    expect(fault).toMatchObject({ kind: 'duplicate' });
    expect(await connection.all(insert, { word: 'two' })).toEqual([{ word: 'two' }]);
  });

  it('runs more statements at once than it keeps prepared', async () => {
    const queries = Array.from(
      { length: 500 },
      (_, index) => sql`SELECT ${raw(String(index))} AS n, ${':a'} AS a`,
    );
    const once = await Promise.all(queries.map((query, a) => connection.all(query, { a })));
    expect(once).toEqual(queries.map((_, n) => [{ n, a: n }]));
  });

  it('cancels a statement that has not begun, without blocking the event loop', async () => {
    const other = await SqliteConnection.open(join(folder, 'a.sqlite'));
    await other.all(fresh('SELECT 1'));
    const slow =
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e8) SELECT max(i) FROM n';
    const endless = faultOf(other.all(fresh(slow)));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await other.abort();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    expect(await endless).toMatchObject({ cause: { code: 'SQLITE_INTERRUPT' } });
  });
});
