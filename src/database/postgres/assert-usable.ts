import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { StartFault } from '../../settings/settings.js';
import { assertOurMigrations } from '../assert-our-migrations.js';
import type { PostgresDataSource } from './postgres-data-source.js';

const FACTS = `
  SELECT
    current_setting('server_encoding') AS "encoding",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    current_schema() AS "schema",
    current_user AS "role",
    current_database() AS "database",
    to_regclass(quote_ident(current_schema()) || '.migrations') IS NOT NULL AS "hasMigrations",
    pg_backend_pid() AS "backend",
    (
      SELECT string_agg(name, ', ') FROM pg_settings
      WHERE name = 'synchronous_commit' AND setting = 'off'
        OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
    ) AS "unset"
`;

/**
 * Checks, before the service changes anything, that the database holds all texts and our schema, and keeps commits.
 *
 * @param migrates whether missing tables will be created
 * @throws StartFault, or pg's fault
 */
export async function assertUsable(dataSource: PostgresDataSource, migrates: boolean): Promise<void> {
  const { schema } = dataSource.poolOptions;
  const client = await dataSource.pool.connect();
  const [facts] = (await client.query(FACTS).finally(() => client.release())).rows;
  const { role, database } = facts;
  // A pooler gives its clients its own keys for cancel requests.
  const isPooled = (client as unknown as { processID: number }).processID !== facts.backend;
  dataSource.isPooled = isPooled;
  // Other encodings cannot store emoji, and SQL_ASCII accepts any bytes.
  refuseIf(
    facts.encoding !== 'UTF8',
    `The database has the encoding ${facts.encoding}; create it with ENCODING 'UTF8' TEMPLATE template0.`,
  );
  refuseIf(
    facts.isReadOnly,
    'The database is read-only: a replica, or default_transaction_read_only; DATABASE_URL must lead to the primary.',
  );
  refuseIf(
    isPooled && facts.unset !== null,
    `A pooler, such as PgBouncer, does not pass ${facts.unset} on to PostgreSQL. Set them for the role: ` +
      `ALTER ROLE ${role} IN DATABASE ${database} SET synchronous_commit = 'on'; in the same way statement_timeout = '10s' and idle_in_transaction_session_timeout = '60s'.`,
  );
  // A pooler may not pass it on, and the tables would be made in another schema.
  refuseIf(
    schema !== undefined && facts.schema !== schema,
    `There is no schema ${schema} that the role ${role} may use${isPooled ? ', or the pooler does not pass ?schema= on (set search_path for the role)' : ''}: CREATE SCHEMA … AUTHORIZATION ${role}.`,
  );
  refuseIf(
    !(await showsAdvisoryLocks(dataSource.pool)),
    'The database does not show the advisory locks of other sessions in pg_locks, as PostgreSQL does. The service needs ' +
      'them: without them, clients that keep a copy of the posts would miss changes. Use PostgreSQL itself.',
  );
  const applied = facts.hasMigrations
    ? (await dataSource.pool.query('SELECT name FROM migrations')).rows
    : [];
  const names = applied.map(({ name }) => name);
  assertOurMigrations(`The schema ${facts.schema} of the database`, names, migrates);
}

/** The class of a lock that only {@link showsAdvisoryLocks} takes: "look" in ASCII. */
const LOOK = 0x6c6f6f6b;

/** Whether a session sees an advisory lock of another one, as `posts_horizon()` must. */
async function showsAdvisoryLocks(pool: Pool): Promise<boolean> {
  const key = randomInt(2 ** 31 - 1);
  const holder = await pool.connect();
  try {
    // In transactions: a pooler may give each of them another session.
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock_shared($1, $2)', [LOOK, key]);
    const { rows } = await pool.query(
      `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2) AS "isSeen"`,
      [LOOK, key],
    );
    return (rows[0] as { isSeen: boolean }).isSeen;
  } finally {
    await holder.query('ROLLBACK').catch(() => undefined);
    holder.release();
  }
}

function refuseIf(isFault: boolean, sentence: string): void {
  if (isFault) throw new StartFault(sentence);
}
