import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type FreshPostgresDatabase, freshPostgresDatabase } from '../support/database.js';
import { PostgresServer } from '../support/postgres-server.js';
import { type Outcome, runCommand } from '../support/command.js';
import { aPost } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { startService } from '../support/service.js';

const PASSWORD = 'correct-horse';

// A separate server, because the databases of the shared one already have tables.
const server = await PostgresServer.start();
afterAll(() => server.remove());

let database: FreshPostgresDatabase;
let role: string;
let sequence = 0;
beforeEach(async () => {
  database = await freshPostgresDatabase(server.url());
  role = `role_${process.pid}_${(sequence += 1)}`;
  await database.execute(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
});
afterEach(async () => {
  await database.remove();
  await database.execute(`DROP ROLE ${role}`).catch(() => undefined);
});

/** The database's URL with the test's role, which owns nothing. */
function asRole(parameters = ''): string {
  const url = new URL(database.url);
  [url.username, url.password] = [role, PASSWORD];
  return url.href + parameters;
}

/** Expects the start to fail. @returns its whole output */
async function failure(environment: Readonly<Record<string, string>>): Promise<string> {
  const service = ServiceProcess.spawn({ environment });
  expect(await service.exited()).toBe(1);
  expect(service.stdout).toBe('');
  return service.stderr;
}

function migrate(): Promise<Outcome> {
  const environment = { DATABASE_URL: database.url };
  return runCommand(['migrate'], { folder: import.meta.dirname, environment });
}

describe('a start on PostgreSQL fails with one sentence when', () => {
  const execute = (sql: string) => () => database.execute(sql);
  const ofTomorrow = `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`;
  const theirs = `CREATE TABLE migrations (timestamp bigint, name text); INSERT INTO migrations VALUES (1, 'of-theirs')`;
  const revoked = 'REVOKE CREATE ON SCHEMA public FROM PUBLIC';
  const readOnly = () => `ALTER ROLE ${role} SET default_transaction_read_only = on`;
  const granted = () => `GRANT SELECT ON migrations TO ${role}`;
  const anotherProgram = /^The schema public of the database has a table "\w+" of another program; .*\.\n$/;

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['posts is a table of another program', execute('CREATE TABLE posts (id integer)'), anotherProgram],
    ['migrations is one', execute('CREATE TABLE migrations (version text)'), anotherProgram],
    ['it is one of another program with TypeORM', execute(theirs), / the tables of another program\.\n$/],
    [
      'it is of a newer version',
      () => migrate().then(execute(ofTomorrow)),
      / \(OfTomorrow1\); start that version\.\n$/,
    ],
  ])('%s', async (_, prepare, sentence) => {
    await prepare();
    expect(await failure({ DATABASE_URL: database.url })).toMatch(sentence);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'the role may not create tables',
      execute(revoked),
      / may not create tables in the schema public: GRANT CREATE .*\.\n$/,
    ],
    [
      'the database is read-only',
      () => database.execute(readOnly()),
      /^The database is read-only: .* to the primary\.\n$/,
    ],
    [
      'the role may not read the tables',
      () => migrate().then(() => database.execute(granted())),
      / may not read and write .*posts/,
    ],
    ['the role may not even read the migrations', migrate, /: permission denied for table migrations\.\n$/],
  ])('%s', async (_, prepare, sentence) => {
    await prepare();
    expect(await failure({ DATABASE_URL: asRole() })).toMatch(sentence);
  });

  it('the schema is missing', async () => {
    expect(await failure({ DATABASE_URL: `${database.url}?schema=nowhere` })).toBe(
      'There is no schema nowhere that the role posts may use: CREATE SCHEMA … AUTHORIZATION posts.\n',
    );
  });

  it('migrations are missing, and DATABASE_MIGRATE is off', async () => {
    expect(await failure({ DATABASE_URL: database.url, DATABASE_MIGRATE: 'off' })).toMatch(
      /^The schema public of the database lacks migrations \(\d+\), and DATABASE_MIGRATE is off: run the command migrate\.\n$/,
    );
    expect(await database.query('SELECT FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });
});

describe('a role without the right to change the schema', () => {
  it('is sufficient to serve posts once the owner has migrated', async () => {
    // The statements in docs/operations.md.
    await database.execute(`
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      GRANT USAGE ON SCHEMA public TO ${role};
      ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
    `);
    expect(await migrate()).toEqual({ status: 0, stdout: 'The schema is up to date.\n', stderr: '' });
    const service = await startService({ DATABASE_URL: asRole(), DATABASE_MIGRATE: 'off' });
    const { path } = await service.create();
    expect((await service.put(path, aPost())).status).toBe(200);
    expect((await service.get('/posts/?search=a')).status).toBe(200);
    expect((await service.delete(path)).status).toBe(204);
    const lines = `${JSON.stringify(aPost())}\n`.repeat(3);
    expect((await service.import(lines)).status).toBe(201);
    await service.stop();
    // Without pending migrations, the service does not need the right either.
    await (await startService({ DATABASE_URL: asRole() })).stop();
  });
});

describe('the parameters of the database URL', () => {
  it.each(['?options=-csearch_path%3Dblog', '?schema=blog'])('set the schema: %s', async (parameters) => {
    await database.execute('CREATE SCHEMA blog');
    const service = await startService({ DATABASE_URL: database.url + parameters });
    await service.create();
    await service.stop();
    expect(await database.query('SELECT count(*)::int AS posts FROM blog.posts')).toEqual([{ posts: 1 }]);
    expect(await database.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('cannot turn off durable commits', async () => {
    const service = await startService({
      DATABASE_URL: `${database.url}?options=-csynchronous_commit%3Doff`,
    });
    const [{ synchronous_commit }] = await service.app.get(DataSource).query('SHOW synchronous_commit');
    expect(synchronous_commit).toBe('on');
    await service.stop();
  });
});

describe('a server whose connections are all in use', () => {
  it('makes the start wait until a connection is free', async () => {
    const full = await PostgresServer.start(['max_connections = 4', 'superuser_reserved_connections = 0']);
    try {
      const clients = Array.from({ length: 4 }, () => new Client(full.url()));
      await Promise.all(clients.map((client) => client.connect()));
      const service = ServiceProcess.spawn({ environment: { DATABASE_URL: full.url() } });
      await sleep(2_000);
      expect([service.stdout, service.stderr]).toEqual(['', '']);
      await Promise.all(clients.map((client) => client.end()));
      await service.says(/listens on/);
      expect(await service.stop()).toBe(0);
    } finally {
      await full.remove();
    }
  });
});
