import type { PoolClient } from 'pg';
import { StartFault } from '../../settings/settings.js';
import { assertOurMigrations } from '../migrations.js';

/** The facts about a database that are checked at start. */
interface Facts {
  readonly encoding: string;
  readonly isReadOnly: boolean;
  readonly schema: string | null;
  readonly searchPath: string;
  readonly role: string;
  readonly database: string;
  readonly mayCreate: boolean | null;
  readonly hasPosts: boolean;
  /** The columns of a table `migrations` that are ours; null when there is no such table. */
  readonly migrations: number | null;
  /** Tables that this role cannot both read and write. */
  readonly denied: string | null;
  readonly backend: number;
  /** Session settings that differ from those that the service has requested. */
  readonly unset: string | null;
}

const FACTS = `
  SELECT
    current_setting('server_encoding') AS "encoding",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    current_schema() AS "schema",
    current_setting('search_path') AS "searchPath",
    current_user AS "role",
    current_database() AS "database",
    has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
    EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'posts') AS "hasPosts",
    (
      SELECT count(*) FILTER (WHERE attname IN ('timestamp', 'name'))::int FROM pg_attribute
      WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.migrations') HAVING count(*) > 0
    ) AS "migrations",
    (
      SELECT string_agg(tablename, ', ') FROM pg_tables
      WHERE schemaname = current_schema()
        AND tablename IN ('posts', 'posts_state', 'posts_counters', 'posts_search', 'post_revisions', 'accounts', 'sessions')
        AND NOT (
          has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'SELECT')
          AND has_table_privilege(quote_ident(schemaname) || '.' || quote_ident(tablename), 'UPDATE')
        )
    ) AS "denied",
    pg_backend_pid() AS "backend",
    (
      SELECT string_agg(name, ', ') FROM pg_settings
      WHERE name = 'synchronous_commit' AND setting = 'off'
        OR name IN ('statement_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
    ) AS "unset"
`;

/**
 * Checks, before the service changes anything, that it can work on the database.
 *
 * @param schema named by the URL
 * @param migrates whether missing tables will be created
 * @returns whether the connection goes through a pooler, such as PgBouncer
 * @throws StartFault
 */
export async function assertUsable(
  client: PoolClient,
  { schema, migrates }: { schema: string | undefined; migrates: boolean },
): Promise<boolean> {
  const { rows } = await client.query<Facts>(FACTS);
  const facts = rows[0]!;
  // A pooler gives its clients its own keys for cancel requests.
  const isPooled = (client as unknown as { processID: number }).processID !== facts.backend;
  assertServes(facts, schema, isPooled);
  const hasMigrations = facts.migrations === 2;
  const foreign = !hasMigrations && (facts.migrations === null ? facts.hasPosts && 'posts' : 'migrations');
  if (foreign)
    throw new StartFault(
      `The schema ${facts.schema} of the database has a table "${foreign}" of another program; name another schema with ?schema=.`,
    );
  const table = `"${facts.schema!.replaceAll('"', '""')}".migrations`;
  const applied = hasMigrations
    ? (await client.query<{ name: string }>(`SELECT name FROM ${table}`)).rows.map(({ name }) => name)
    : [];
  const isMissing = assertOurMigrations(`The schema ${facts.schema} of the database`, applied, migrates);
  if (isMissing && !facts.mayCreate)
    throw new StartFault(
      `The role ${facts.role} may not create tables in the schema ${facts.schema}: GRANT CREATE ON SCHEMA ${facts.schema} TO ${facts.role}, or run the command migrate as the owner of the tables.`,
    );
  if (facts.denied !== null)
    throw new StartFault(
      `The role ${facts.role} may not read and write ${facts.denied}; see docs/operations.md.`,
    );
  return isPooled;
}

function assertServes(facts: Facts, schema: string | undefined, isPooled: boolean): void {
  if (facts.encoding !== 'UTF8')
    // Other encodings cannot store emoji, and SQL_ASCII accepts any bytes.
    throw new StartFault(
      `The database has the encoding ${facts.encoding}; create it with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  if (facts.isReadOnly)
    throw new StartFault(
      'The database is read-only: a replica, or default_transaction_read_only; DATABASE_URL must lead to the primary.',
    );
  if (isPooled && facts.unset !== null)
    throw new StartFault(
      `A pooler, such as PgBouncer, does not pass ${facts.unset} on to PostgreSQL. Set them for the role: ` +
        `ALTER ROLE ${facts.role} IN DATABASE ${facts.database} SET synchronous_commit = 'on'; in the same way statement_timeout = '10s' and idle_in_transaction_session_timeout = '60s'.`,
    );
  if (facts.schema === null || (schema !== undefined && facts.schema !== schema))
    throw new StartFault(
      `There is no schema ${schema ?? facts.searchPath} that the role ${facts.role} may use${isPooled ? ', or the pooler does not pass ?schema= on (set search_path for the role)' : ''}: CREATE SCHEMA … AUTHORIZATION ${facts.role}.`,
    );
}
