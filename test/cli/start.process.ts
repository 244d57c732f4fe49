import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, cp, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { VERSION } from '../../src/settings/package-info.js';
import { runCommand } from '../support/command.js';
import { executeOn } from '../support/sqlite-file.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const sound = temporaryFolder();
let folder: string;
let path: string;
const mounted: string[] = [];

/** Starts the service once, to create a database, and stops it. */
beforeAll(async () => {
  const service = await ServiceProcess.start({ databasePath: join(sound, 'posts.sqlite') });
  expect(await service.stop()).toBe(0);
});

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'posts.sqlite');
});
afterEach(async () => {
  for (const each of mounted.splice(0)) execFileSync('umount', ['-l', each]);
  await chmod(folder, 0o700);
});

/** Copies the database that the service created. */
const makeDatabase = (): Promise<void> => cp(sound, folder, { recursive: true });

const IS_ROOT = process.getuid?.() === 0;

/** Root, which can write despite a missing permission, gets a read-only mount. */
async function makeReadOnly(place: string): Promise<void> {
  if (!IS_ROOT) return chmod(place, place === folder ? 0o500 : 0o400);
  execFileSync('mount', ['--bind', place, place]);
  mounted.push(place);
  execFileSync('mount', ['-o', 'remount,ro,bind', place]);
}

/** The files in the folder, without those that each start makes: the lock and an empty log. */
async function contents(): Promise<[string, Buffer][]> {
  const names = (await readdir(folder)).filter((name) => !/-(?:lock|shm)$/.test(name)).toSorted();
  const read = async (name: string): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))];
  return (await Promise.all(names.map(read))).filter(([, bytes]) => bytes.length > 0);
}

describe('the service', () => {
  it('creates its database folder, logs its address, and depends on no time zone', async () => {
    const databasePath = join(folder, 'a/b/c/posts.sqlite');
    const environment = { TZ: 'America/St_Johns' };
    const service = await ServiceProcess.start({ databasePath, environment });
    expect((await service.get('/health/ready')).json()).toEqual({ status: 'ok' });
    expect(service.stdout).toContain(`http://127.0.0.1:${service.port}/`);
    await service.says(/"password".*\n/);
    expect(service.stdout).toMatch(new RegExp(`"version":"${VERSION}","msg":"The Posts Service listens`));
    expect(service.stdout).toMatch(/Database: SQLite 3\.[\d.]+, .*a\/b\/c\/posts\.sqlite"/);
    expect(service.stdout).toContain('The tables were created.');
    const lines = service.stdout.trimEnd().split('\n');
    const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
    expect(new Set(levels)).toEqual(new Set(['info', 'warn']));
    expect(service.stderr).toBe('');

    // The clock of this zone skips this hour.
    const json = { title: 'a', body: '', pub_date: '2026-03-08T02:30' };
    const dated = await service.post(json);
    expect(dated.json()).toMatchObject({ pub_date: '2026-03-08T02:30:00.000Z' });
    const filter = 'pub_date_after=2026-03-08T02:30&pub_date_before=2026-03-08T02:30:00.000001';
    expect(await service.count(filter)).toBe(1);
    const before = Date.now();
    const now = await service.post({ title: 'b', body: '' });
    const instant = Date.parse(now.json<{ pub_date: string }>().pub_date);
    expect(instant).toBeGreaterThanOrEqual(before);
    expect(instant).toBeLessThanOrEqual(Date.now());
  });
});

/** Linux shows the threads of a process. */
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the threads for files, passwords and SQLite', () => {
  onLinux('are eight, where the environment does not say how many', async () => {
    const threadsWith = async (environment: Readonly<Record<string, string>>): Promise<number> => {
      const databasePath = join(temporaryFolder(), 'posts.sqlite');
      const service = await ServiceProcess.start({ databasePath, environment });
      const threads = await readdir(`/proc/${service.pid}/task`);
      await service.stop();
      return threads.length;
    };
    expect((await threadsWith({})) - (await threadsWith({ UV_THREADPOOL_SIZE: '4' }))).toBe(4);
  });
});

describe('the start of the service', () => {
  const OF_ANOTHER_PROGRAM = 'holds the tables of another program.';
  const OF_TOMORROW = `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`;
  const DAMAGED = 'cannot be opened: SQLITE_CORRUPT: database disk image is malformed.';
  const NOT_SQLITE = 'cannot be opened: SQLITE_NOTADB: file is not a database.';
  const READ_ONLY = 'is read-only; the service must be able to write to it.';
  const READ_ONLY_FOLDER = IS_ROOT ? READ_ONLY : 'SQLITE_READONLY: attempt to write a readonly database.';
  const NOT_WRITABLE = 'is not writable; let this process write to it, or set DATABASE_URL.';
  const execute = (sql: string) => () => executeOn(path, sql);
  const made = (change: () => Promise<void>) => () => makeDatabase().then(change);

  it.each<[string, () => Promise<void>, string]>([
    ['is not a database', () => writeFile(path, randomBytes(10_000)), NOT_SQLITE],
    ['is truncated', made(() => truncate(path, 10_000)), DAMAGED],
    ['is of a newer version', made(execute(OF_TOMORROW)), '(OfTomorrow1); start that version.'],
    ['belongs to another program', execute('CREATE TABLE recipes (id integer)'), OF_ANOTHER_PROGRAM],
    ['has another table `migrations`', execute('CREATE TABLE migrations (version text)'), OF_ANOTHER_PROGRAM],
    ['is read-only', made(() => makeReadOnly(path)), READ_ONLY],
    ['is in a read-only folder', made(() => makeReadOnly(folder)), READ_ONLY_FOLDER],
    ['would be made in a read-only folder', () => makeReadOnly(folder), NOT_WRITABLE],
  ])('fails with a sentence and changes nothing when the file %s', async (_, prepare, sentence) => {
    await prepare();
    const before = await contents();
    const { startFault } = await ServiceProcess.failure({ databasePath: path });
    expect(startFault.endsWith(sentence)).toBe(true);
    expect(startFault.split('\n')).toHaveLength(1);
    expect(await contents()).toEqual(before);
  });

  it('fails with a sentence when tables are missing and DATABASE_MIGRATE is off', async () => {
    const off = { databasePath: path, environment: { DATABASE_MIGRATE: 'off' } };
    expect((await ServiceProcess.failure(off)).startFault).toMatch(
      /lacks migrations \(\d+\): run the command migrate\.$/,
    );
    const environment = { DATABASE_URL: `sqlite:${path}` };
    expect((await runCommand(['migrate'], { folder, environment })).status).toBe(0);
    expect(await (await ServiceProcess.start(off)).stop()).toBe(0);
  });

  it('fails while another service has the database open, until that service is killed', async () => {
    const first = await ServiceProcess.start({ databasePath: path });
    expect((await ServiceProcess.failure({ databasePath: path })).startFault).toMatch(
      /is open in another service; stop that one, or give this one another DATABASE_URL\.$/,
    );
    const link = join(temporaryFolder(), 'link.sqlite');
    await symlink(path, link);
    expect((await ServiceProcess.failure({ databasePath: link })).startFault).toContain(
      `The database ${path} is open in another service`,
    );
    await first.stop('SIGKILL');
    const second = await ServiceProcess.start({ databasePath: path });
    // The lock does not exclude readers in other processes.
    await executeOn(path, 'SELECT count(*) FROM posts');
    expect(await second.stop()).toBe(0);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    // All of them at once, without their values.
    ['settings are invalid', { PORT: 's3cret', API_TOKENS: 's3cret' }, /^ *PORT: [^]*^ *API_TOKENS: /m],
    // Not even root can write there.
    [
      'it has no place',
      { DATABASE_URL: 'sqlite:/sys/x/b', PORT: '0' },
      /^The folder \/sys\/x .* is not writable; /,
    ],
    [
      'its place is below a file',
      { DATABASE_URL: 'sqlite:/etc/passwd/posts.sqlite', PORT: '0' },
      /^The database \/etc\/passwd\/posts\.sqlite cannot be opened: a part of its path is a file, not a folder\.$/,
    ],
    [
      'the port is in use',
      {},
      /^listen EADDRINUSE: address already in use 127\.0\.0\.1:\d+\. Set PORT or HOST\.$/,
    ],
  ])('fails with one sentence, in the log or on stderr, when %s', async (_, environment, sentence) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const options = { databasePath: path, environment: { PORT: String(port), ...environment } };
    const { stdout, startFault } = await ServiceProcess.failure(options);
    const pretty = { ...options, environment: { ...options.environment, LOG_FORMAT: 'pretty' } };
    const { stderr } = await ServiceProcess.failure(pretty);
    server.close();
    expect(startFault).toMatch(sentence);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(stdout + stderr).not.toContain('s3cret');
    // The password that is shown only once is not used up.
    expect(stdout).not.toContain('"password"');
    expect(stdout.match(/"level":"(?:error|fatal)"/g)).toHaveLength(1);
  });
});

describe('a missing or replaced database', () => {
  it('is not made again beside the log of the old one, which has the posts of a killed service', async () => {
    const service = await ServiceProcess.start({ databasePath: path });
    await service.create({ title: 'In the log' });
    await service.stop('SIGKILL');
    await rename(path, `${path}-elsewhere`);
    expect((await ServiceProcess.failure({ databasePath: path })).startFault).toMatch(
      /^The database .* is missing, but its write-ahead log .*posts\.sqlite-wal is there/,
    );
    await rename(`${path}-elsewhere`, path);
    const again = await ServiceProcess.start({ databasePath: path });
    expect((await again.get('/posts/')).json()).toMatchObject([{ title: 'In the log' }]);
    expect(await again.stop()).toBe(0);
  });

  it.each<[string, () => Promise<void>]>([
    ['removed', () => rm(path)],
    ['replaced', () => cp(path, `${path}-new`).then(() => rename(`${path}-new`, path))],
    ['robbed of its log', () => rm(`${path}-wal`)],
  ])('is noticed by writes and readiness while the service runs: %s', async (_, change) => {
    const service = await ServiceProcess.start({ databasePath: path });
    const { path: kept } = await service.create();
    expect((await service.get('/health/ready')).status).toBe(200);
    await change();
    const refused = await service.post({ title: 'Refused', body: '' });
    const detail = 'The file of the database was removed or replaced; nothing was changed.';
    expect([refused.status, refused.json()]).toMatchObject([503, { detail }]);
    expect((await service.get('/health/ready')).status).toBe(503);
    expect((await service.get(kept)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});
