import { Pool } from 'pg';
import { poolOptions, type PostgresSettings } from '../../src/database/postgres/pool-options.js';
import { PostgresPool } from '../../src/database/postgres/postgres-pool.js';
import { raw, sql } from '../../src/database/sql.js';
import { freshPostgresDatabase } from '../support/database.js';

const database = await freshPostgresDatabase();
const settings: PostgresSettings = {
  kind: 'postgres',
  url: database.url,
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 10_000,
};
const clients = new Pool(poolOptions(database.url, settings));
const pool = new PostgresPool(clients, settings);
const connection = await pool.acquire();
afterAll(async () => {
  connection.release();
  await clients.end();
});

it('returns the rows of a statement, if there are any, at its first and later uses', async () => {
  const rows = sql`
    SELECT number, 12 / number AS "share", CAST(${':text'} AS text) AS "text"
    FROM generate_series(CAST(${':first'} AS integer), CAST(${':last'} AS integer)) number
  `;
  const nothing = sql`DO $$ BEGIN END $$`;
  for (let use = 1; use <= 3; use++) {
    expect(await connection.all(rows, { first: 3, last: 4, text: null })).toEqual([
      { number: 3, share: 4, text: null },
      { number: 4, share: 3, text: null },
    ]);
    expect(await connection.all(rows, { first: 2, last: 1, text: 'é' })).toEqual([]);
    expect(await connection.all(nothing)).toEqual([]);
  }
});

it('returns the rows of a new statement that is sent twice at the same time', async () => {
  const query = sql`SELECT CAST(${':id'} AS integer) AS "id", CAST(1 AS boolean) AS "isRead"`;
  expect(await Promise.all([1, 2].map((id) => connection.all(query, { id })))).toEqual([
    [{ id: 1, isRead: true }],
    [{ id: 2, isRead: true }],
  ]);
});

it('runs a statement again after its first use failed or was skipped', async () => {
  const failing = sql`SELECT 6 / CAST(${':divisor'} AS integer) AS "share"`;
  const skipped = sql`SELECT CAST(${':id'} AS integer) AS "skipped"`;
  const outcomes = await Promise.allSettled([
    connection.all(failing, { divisor: 0 }),
    connection.all(skipped, { id: 7 }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // Until then, no statement follows one that has failed.
  await expect(connection.all(skipped, { id: 7 })).rejects.toBe(
    (outcomes[0] as PromiseRejectedResult).reason,
  );
  await connection.rollback();
  expect(await connection.all(failing, { divisor: 3 })).toEqual([{ share: 2 }]);
  expect(await connection.all(skipped, { id: 7 })).toEqual([{ skipped: 7 }]);
});

it('keeps the statements prepared that were used last', async () => {
  const statement = (number: number) => sql`SELECT ${raw(String(number))} AS "number"`;
  const use = async (number: number): Promise<void> =>
    expect(await connection.all(statement(number))).toEqual([{ number }]);
  for (let number = 0; number < 250; number++) {
    await use(number);
    await use(0);
  }
  const prepared = await connection.all<{ statement: string }>(
    sql`SELECT statement FROM pg_prepared_statements`,
  );
  expect(prepared).toHaveLength(200);
  const texts = prepared.map((row) => row.statement);
  expect(texts).toEqual(expect.arrayContaining([statement(0).text, statement(249).text]));
  expect(texts).not.toContain(statement(1).text);
  await use(1);
});
