import { DataSource } from 'typeorm';
import { type FreshDatabase, freshPostgresDatabase } from '../support/database.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const PASSWORD = 'correct-horse';

let database: FreshDatabase;
let role: string;
let sequence = 0;
beforeEach(async () => {
  database = await freshPostgresDatabase(undefined, 'TEMPLATE template0');
  role = `role_${process.pid}_${(sequence += 1)}`;
  await database.execute(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
});
afterEach(async () => {
  await database.execute(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await database.remove();
});

const execute = (sql: string) => database.execute(sql);
const asOwner = (parameters = ''): string => database.url + parameters;
/** The URL with the test's role, which owns nothing. */
const asRole = (password = PASSWORD): string =>
  Object.assign(new URL(database.url), { username: role, password }).href;

async function startAndStop(DATABASE_URL: string, DATABASE_MIGRATE = 'on'): Promise<void> {
  await (await startService({ DATABASE_URL, DATABASE_MIGRATE })).stop();
}
const migrate = (): Promise<void> => startAndStop(asOwner());

describe('a start on PostgreSQL fails with one sentence when', () => {
  const THEIRS = `CREATE TABLE migrations (timestamp bigint, name text); INSERT INTO migrations VALUES (1, 'a')`;
  const OF_TOMORROW = `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`;
  const NO_SCHEMA =
    /^There is no schema nowhere that the role posts may use: CREATE SCHEMA … AUTHORIZATION posts\.$/;
  const NOT_OPENED = /^The database cannot be opened: (?:relation "posts" already exists\.$|column "name" )/;
  const run = (sql: string) => () => execute(sql);
  const READ_ONLY = () => execute(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
  const NO_CREATE = 'REVOKE CREATE ON SCHEMA public FROM PUBLIC';
  const useLatin1 = async (): Promise<void> => {
    await database.remove();
    database = await freshPostgresDatabase(undefined, `TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  };

  // Stands for an engine that does not show the locks of other sessions.
  const hideLocks = () =>
    execute(`
      CREATE VIEW public.pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE false;
      GRANT SELECT ON public.pg_locks TO PUBLIC;
      ALTER ROLE ${role} SET search_path = public, pg_catalog`);

  it.each<[string, () => unknown, () => string, RegExp]>([
    ['it hides advisory locks', hideLocks, asRole, / does not show the advisory locks of other sessions /],
    ['posts is of another program', run('CREATE TABLE posts ()'), asOwner, NOT_OPENED],
    ['migrations is', run('CREATE TABLE migrations ()'), asOwner, NOT_OPENED],
    ['it is of another with TypeORM', run(THEIRS), asOwner, / tables of another program\.$/],
    ['it is newer', () => migrate().then(run(OF_TOMORROW)), asOwner, / newer .* \(OfTomorrow1\); /],
    ['the schema is missing', () => undefined, () => asOwner('?schema=nowhere'), NO_SCHEMA],
    ['it cannot hold all of Unicode', useLatin1, asOwner, / LATIN1; create it with ENCODING 'UTF8' /],
    ['the password is wrong', () => undefined, () => asRole('wrong'), / opened: password authentication /],
    ['the role may not create tables', run(NO_CREATE), asRole, /: permission denied for schema public\.$/],
    ['the database is read-only', READ_ONLY, asRole, /^The database is read-only: .* to the primary\.$/],
    ['the role may not even read migrations', migrate, asRole, /: permission denied for table migrations\.$/],
  ])('%s', async (_, prepare, url, sentence) => {
    await prepare();
    await expect(startAndStop(url())).rejects.toMatchObject({
      name: 'StartFault',
      message: expect.stringMatching(sentence),
    });
  });

  it('migrations are missing, and DATABASE_MIGRATE is off', async () => {
    await expect(startAndStop(asOwner(), 'off')).rejects.toThrow(
      /^The schema public of the database lacks migrations \(\d+\): run the command migrate\.$/,
    );
    expect(await database.query('SELECT FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });
});

describe('a role without the right to change the schema', () => {
  it('is sufficient to serve posts once the owner has migrated', async () => {
    // The statements in docs/operate/operations.md.
    await execute(`
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT USAGE ON SCHEMA public TO ${role};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    `);
    await migrate();
    const service = await startService({ DATABASE_URL: asRole(), DATABASE_MIGRATE: 'off' });
    const { path } = await service.create();
    expect((await service.put(path, aPost())).status).toBe(200);
    expect((await service.get('/posts/?search=a')).status).toBe(200);
    expect((await service.delete(path)).status).toBe(204);
    expect((await service.import(`${JSON.stringify(aPost())}\n`.repeat(3))).status).toBe(201);
    await service.stop();
    // Without pending migrations, the service does not need the right either.
    await startAndStop(asRole());
  });
});

describe('the parameters of the database URL', () => {
  it.each(['?options=-csearch_path%3Dblog', '?schema=blog&options=-csynchronous_commit%3Doff'])(
    'set the schema, and cannot turn off durable commits: %s',
    async (parameters) => {
      await execute('CREATE SCHEMA blog');
      const service = await startService({ DATABASE_URL: asOwner(parameters) });
      await service.create();
      const shown = await service.app
        .get(DataSource)
        .query(`SELECT current_setting('synchronous_commit') AS is`);
      expect(shown).toEqual([{ is: 'on' }]);
      await service.stop();
      expect(await database.query('SELECT count(*)::int AS posts FROM blog.posts')).toEqual([{ posts: 1 }]);
      expect(await database.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
    },
  );
});
