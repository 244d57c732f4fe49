import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresServer } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { poll } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const ALERTS = join(ROOT, 'docs/operate/monitoring/prometheus-alerts.yaml');
const PASSWORD = 'a-long-password-or-token';

/** Code in a sentence or a table counts as a command when it begins with one of these and has arguments. */
const INLINE = /(?<!`)`((?:npm run posts --|docker|bash|pg_\w+|psql|rsync|rclone|kubectl|systemctl) [^`]+)`/g;
const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;
const text = await readFile(join(ROOT, 'docs/operate/operations.md'), 'utf8');
/** The commands, statements and settings of docs/operate/operations.md that no test has taken. */
const untested = [
  ...[...text.matchAll(FENCED)].flatMap(([, language, block]) => (language === 'json' ? [] : [block!])),
  ...[...text.replaceAll(FENCED, '').matchAll(INLINE)].map(([, command]) => command!),
];

/** The block or command that begins with the text. A test takes each of them once, to run or check it. */
function take(beginning: string): string {
  const index = untested.findIndex((each) => each.startsWith(beginning));
  if (index === -1) throw new Error(`The document has no command ${beginning}`);
  return untested.splice(index, 1)[0]!;
}

const folder = temporaryFolder();
let server: PostgresServer;

beforeAll(async () => {
  // The script of the commands, for another working directory.
  const scripts = { posts: `node "${ROOT}/bin/posts-service.cjs"` };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'posts-service', scripts }));
  // PostgreSQL runs as another user when the tests run as root.
  await chmod(folder, 0o777);
  server = await PostgresServer.start();
  await server.query(`CREATE ROLE boss SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
});

afterAll(() => server.remove());

function urlOf(role: string, database = 'posts'): string {
  return `postgres://${role}:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
}

interface Shell {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a script in the folder, with the folders and secrets of the test in place of the document's. */
async function sh(script: string, { env = {}, stdin = '' }: Shell = {}): Promise<string> {
  const local = script
    .replaceAll('/backups', join(folder, 'backups'))
    .replaceAll('deploy/', `${ROOT}/deploy/`);
  const { PATH, HOME } = process.env;
  const running = promisify(execFile)('bash', ['-eo', 'pipefail', '-c', local], {
    cwd: folder,
    env: { PATH: `${server.binaries}:${PATH}`, HOME, PASSWORD_HASH_MEMORY: '16', ...env },
  });
  running.child.stdin!.end(stdin);
  return (await running).stdout;
}

/** Runs statements as the superuser. */
function psql(statements: string, database = 'postgres'): Promise<string> {
  const file = `<<'END'\n${statements.replaceAll('…', PASSWORD)}\nEND`;
  return sh(`psql --quiet --set=ON_ERROR_STOP=1 "${urlOf('boss', database)}" ${file}`);
}

/** Starts the service on a database of the server. */
function startOn(url: string): Promise<ServiceProcess> {
  return ServiceProcess.start({ environment: { DATABASE_URL: url } });
}

const databasePath = join(folder, 'data/posts.sqlite');

describe('the commands of docs/operate/operations.md for PostgreSQL', () => {
  it('make one role and a database', async () => {
    // The document makes a role `posts`, and the test's superuser has this name.
    await psql('ALTER ROLE posts RENAME TO postgres');
    await psql(take('CREATE ROLE posts LOGIN'));
    const service = await startOn(urlOf('posts'));
    await service.create();
    await service.stop();
    await psql('DROP DATABASE posts; DROP ROLE posts; ALTER ROLE postgres RENAME TO posts');
  });

  it('make an owner that migrates, and a role for the service without other rights', async () => {
    await psql(take('CREATE ROLE posts_owner'));
    await psql(take('ALTER ROLE posts_service IN DATABASE posts'));
    const [migrate, serve] = take('npm run posts -- migrate\n').trim().split('\n');
    const dryRun = await sh(take('npm run posts -- migrate --dry-run'), {
      env: { DATABASE_URL: urlOf('posts_owner') },
    });
    expect(dryRun).toContain('Creates the tables of an empty database.');
    await sh(migrate!, { env: { DATABASE_URL: urlOf('posts_owner') } });
    expect(serve).toBe('DATABASE_MIGRATE=off npm start');
    const env = { DATABASE_URL: urlOf('posts_service'), DATABASE_MIGRATE: 'off' };
    const service = await ServiceProcess.start({ environment: env });
    const { path: post } = await service.create();
    expect((await service.delete(post)).status).toBe(204);
    await service.create({ title: 'kept' });
    await psql(take('SELECT gin_clean_pending_list'), 'posts');
    await service.stop();
    await sh('npm run posts -- reindex', { env });
    await expect(sh(`psql "${urlOf('posts_service')}" -c 'DROP TABLE posts'`)).rejects.toThrow(
      'must be owner',
    );
  });

  it('back up as the owner, as the CronJob does, and restore', async () => {
    const cronJob = await readFile(join(ROOT, 'deploy/kubernetes/backup.yaml'), 'utf8');
    expect(cronJob).toContain('key: OWNER_DATABASE_URL');
    const backup = take('bash deploy/kubernetes/backup-postgres.sh');
    const restore = take('pg_restore');
    const written = await sh(backup, { env: { DATABASE_URL: urlOf('posts_owner') } });
    expect(written).toMatch(/\.dump was written and verified\.$/m);
    const names = (await readdir(join(folder, 'backups'))).filter((name) => name.endsWith('.dump'));
    await psql('CREATE DATABASE restored OWNER posts_owner');
    const env = { DATABASE_URL: urlOf('posts_owner', 'restored') };
    await sh(restore.replace(/posts-\w+\.dump/, names.toSorted().at(-1)!), { env });
    const restored = urlOf('posts_owner', 'restored');
    expect(await sh(`psql "${restored}" -c 'SELECT title FROM posts'`)).toContain('kept');
    const since = new Date().toISOString();
    await sh(take('psql "$DATABASE_URL"'), { env });
    const service = await startOn(restored);
    const earlier = await service.get(`/deleted-posts/?deleted_after=${since}`);
    expect(earlier.problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    // `Last-Modified` is never later than now, and reaches the end of the second of the statements soon.
    await poll(async () => {
      const { headers } = await service.get('/posts/');
      const lastModified = new Date(headers['last-modified'] as string).toISOString();
      return (await service.get(`/deleted-posts/?deleted_after=${lastModified}`)).status;
    }).toBe(200);
    await service.stop();
  });

  it('move the data from SQLite', async () => {
    await sh('npm run posts -- seed 20');
    await psql('CREATE DATABASE moved OWNER posts_owner');
    const move = take('npm run posts -- move');
    expect(await sh(move.replace(/postgres:\S+/, urlOf('posts_owner', 'moved')))).toContain('posts: 20\n');
    await rm(join(folder, 'data'), { recursive: true });
  });

  it('dump the schema of ?schema=, verify the server, and note the time for the metrics', async () => {
    const certificate = await server.encrypt();
    await server.query('CREATE SCHEMA blog');
    const url = `${server.url().replace('127.0.0.1', 'localhost')}?schema=blog&sslmode=verify-full`;
    const withCa = `${url}&sslrootcert=${certificate}`;
    const service = await startOn(withCa);
    await service.create({ title: 'in a schema' });
    const dumps = join(folder, 'schemas');
    await mkdir(dumps);
    for (const name of ['posts-20200101T000000Z.dump', 'notes.txt']) await writeFile(join(dumps, name), '');
    const backup = (env: Record<string, string>) =>
      sh(`bash deploy/kubernetes/backup-postgres.sh ${dumps} 1`, { env });
    await backup({ DATABASE_URL: url, PGSSLROOTCERT: certificate });
    // It has deleted the old dump and nothing else.
    expect(await readdir(dumps)).toEqual(['notes.txt', expect.stringMatching(/^posts-2(?!0200101)/)]);
    // The CAs of the system do not know this server; `require` verifies nothing.
    await expect(backup({ DATABASE_URL: url })).rejects.toThrow(/certificate verify failed|does not exist/);
    await backup({ DATABASE_URL: url.replace('verify-full', 'require'), PGSSLROOTCERT: '/etc/passwd' });
    const noted = await service.metric('posts_database_last_backup_timestamp_seconds');
    expect(Math.abs(noted - Date.now() / 1_000)).toBeLessThan(300);
    await service.stop();

    await server.query('CREATE DATABASE other');
    await sh(`pg_restore --no-owner --dbname="${server.url('other')}" ${dumps}/posts-*.dump`);
    expect(await server.query('SELECT title FROM blog.posts', 'other')).toEqual([{ title: 'in a schema' }]);
  });
});

describe('the commands of docs/operate/operations.md for SQLite', () => {
  it('back up while the service runs, and restore', async () => {
    const service = await ServiceProcess.start({ databasePath });
    await service.create();
    await sh(take('npm run posts -- backup /backups --keep 14'));
    const inContainer = take('docker exec posts ').replace('docker exec posts ', '');
    await sh(inContainer.replace('bin/', `"${ROOT}"/bin/`).replace('/backups', '/backups/in-container'));
    expect(await readdir(join(folder, 'backups/in-container'))).toEqual([
      expect.stringMatching(/\.sqlite$/),
      expect.stringMatching(/\.sqlite\.sha256$/),
    ]);
    await mkdir(join(folder, 'elsewhere'));
    await sh(take('cp --archive').replace('/mnt/another-machine/posts', join(folder, 'elsewhere')));
    await service.stop();
    const [name] = (await readdir(join(folder, 'elsewhere'))).filter((each) => /^posts-.*sqlite$/.test(each));
    const restore = take('npm run posts -- restore').replace(/\S+\.sqlite/, join(folder, 'elsewhere', name!));
    expect(await sh(restore)).toContain('was restored. Posts: 1.');
  });

  it('manage accounts', async () => {
    const lines = take('npm run posts -- account add').trim().split('\n');
    for (const line of lines) await sh(line, { stdin: `${PASSWORD}\n` });
  });

  it('compact and index', async () => {
    await sh(take('sqlite3 data/posts.sqlite VACUUM'));
    expect(await sh(take('npm run posts -- reindex'))).toContain('was rebuilt.');
  });
});

describe('the rest of docs/operate/operations.md', () => {
  it('has a scrape configuration with the job name of the alerts', async () => {
    const [, job] = /job_name: (\w+)/.exec(take('scrape_configs'))!;
    const alerts = await readFile(ALERTS, 'utf8');
    expect(alerts).toContain(`job="${job}"`);
  });

  it('has metrics and alerts that promtool accepts', async () => {
    const service = await ServiceProcess.start({ databasePath });
    await service.create();
    const { text: metrics } = await service.get('/metrics');
    expect(await sh('promtool check metrics 2>&1', { stdin: metrics })).toBe('');
    await service.stop();
    expect(await sh(`promtool check rules ${ALERTS}`)).toContain('SUCCESS');
  });

  it('has alerts that fire on what they are for, and not on an ordinary day', async () => {
    const rules = join(ROOT, 'test/reliability/alerts.promtool.yaml');
    expect(await sh(`promtool test rules ${rules}`)).toContain('SUCCESS');
    const [alerts, tested] = await Promise.all([ALERTS, rules].map((path) => readFile(path, 'utf8')));
    for (const [, name] of alerts!.matchAll(/- alert: (\w+)/g))
      expect(tested).toMatch(new RegExp(`alertname: ${name}\n +exp_alerts:`));
  });

  it('has no untested command', () => {
    expect(untested).toEqual([]);
  });
});
