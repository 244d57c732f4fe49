import { createHash, randomBytes } from 'node:crypto';
import { cp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { executeOn } from '../support/sqlite-file.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const sound = temporaryFolder();
let folder: string;
let path: string;

/** Starts the service once, to create a database, and stops it. */
beforeAll(async () => {
  const service = await ServiceProcess.start({ databasePath: join(sound, 'posts.sqlite') });
  expect(await service.stop()).toBe(0);
});

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'posts.sqlite');
});

/** Copies the database that the service created. */
async function makeDatabase(): Promise<void> {
  await cp(sound, folder, { recursive: true });
}

async function fails(): Promise<string> {
  const service = ServiceProcess.spawn({ databasePath: path });
  expect(await service.exited()).toBe(1);
  return service.stderr;
}

async function digestOfDatabase(): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

describe('the start of the service', () => {
  const OF_ANOTHER_PROGRAM = 'holds the tables of another program.\n';
  const OF_TOMORROW = `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`;
  const execute = (sql: string) => () => executeOn(path, sql);
  async function damage(): Promise<void> {
    const bytes = await readFile(path);
    randomBytes(4_096).copy(bytes, 8_192);
    await writeFile(path, bytes);
  }

  it.each<[string, () => Promise<void>, string]>([
    ['is not a database', () => writeFile(path, randomBytes(10_000)), 'is not a SQLite database.\n'],
    ['is damaged', () => makeDatabase().then(damage), 'is damaged; restore a backup.\n'],
    [
      'is truncated',
      () => makeDatabase().then(() => truncate(path, 10_000)),
      'is damaged; restore a backup.\n',
    ],
    [
      'is of a newer version',
      () => makeDatabase().then(execute(OF_TOMORROW)),
      '(OfTomorrow1); start that version.\n',
    ],
    ['belongs to another program', execute('CREATE TABLE recipes (id integer)'), OF_ANOTHER_PROGRAM],
    ['has another table `migrations`', execute('CREATE TABLE migrations (version text)'), OF_ANOTHER_PROGRAM],
  ])('fails with a sentence and changes nothing when the file %s', async (_, prepare, sentence) => {
    await prepare();
    const before = await digestOfDatabase();
    const stderr = await fails();
    expect(stderr.endsWith(sentence)).toBe(true);
    expect(stderr).not.toContain('\n    at ');
    expect(await digestOfDatabase()).toBe(before);
  });

  it('fails with a sentence when tables are missing and DATABASE_MIGRATE is off', async () => {
    const service = ServiceProcess.spawn({ databasePath: path, environment: { DATABASE_MIGRATE: 'off' } });
    expect(await service.exited()).toBe(1);
    expect(service.stderr).toMatch(
      /lacks migrations \(\d+\), and DATABASE_MIGRATE is off: run the command migrate\.\n$/,
    );
    const environment = { DATABASE_URL: `sqlite:${path}` };
    expect((await runCommand(['migrate'], { folder, environment })).status).toBe(0);
    const migrated = await ServiceProcess.start({
      databasePath: path,
      environment: { DATABASE_MIGRATE: 'off' },
    });
    expect(await migrated.stop()).toBe(0);
  });

  it('fails while another service has the database open, until that service is killed', async () => {
    const first = await ServiceProcess.start({ databasePath: path });
    const stderr = await fails();
    expect(stderr).toMatch(
      /is open in another service; stop that one, or give this one another DATABASE_URL\.\n$/,
    );
    await first.stop('SIGKILL');
    const second = await ServiceProcess.start({ databasePath: path });
    // The lock does not exclude readers in other processes.
    await executeOn(path, 'SELECT count(*) FROM posts');
    expect(await second.stop()).toBe(0);
  });

  // Not even root can write there.
  it.each(['/sys/posts', '/proc/x'])('fails with a sentence, and logs nothing, in %s', async (place) => {
    const service = ServiceProcess.spawn({ databasePath: `${place}/posts.sqlite` });
    expect(await service.exited()).toBe(1);
    expect(service.stderr.startsWith(`The folder ${place} of the database is not writable; `)).toBe(true);
    expect(service.stdout).toBe('');
  });

  it('fails with a sentence, and logs nothing, when the port is in use', async () => {
    const server = createServer();
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const { port } = server.address() as { port: number };
    const service = ServiceProcess.spawn({ databasePath: path, environment: { PORT: String(port) } });
    expect(await service.exited()).toBe(1);
    server.close();
    expect(service.stderr).toBe(
      `127.0.0.1:${port} is in use by another program; stop that program, or set PORT.\n`,
    );
    // No account was created, so no password was shown.
    expect(service.stdout).toBe('');
  });

  it.each([
    ['HOST is unknown', { HOST: 'host.invalid' }, /^host\.invalid:0 is not the name .*; set HOST\.\n$/],
    ['a folder is a file', { DATABASE_URL: 'sqlite:/etc/passwd/a' }, /^.*\/etc\/passwd.*\.\n$/],
  ])('fails with a sentence when %s', async (_, environment, sentence) => {
    const service = ServiceProcess.spawn({ databasePath: path, environment });
    expect(await service.exited()).toBe(1);
    expect(service.stderr).toMatch(sentence);
    expect(service.stdout).not.toContain('"err"');
  });
});

describe('a missing or replaced database', () => {
  it('is not made again beside the log of the old one', async () => {
    await makeDatabase();
    const service = await ServiceProcess.start({ databasePath: path });
    const post = { title: 'In the log', body: '' };
    expect((await service.send('POST', '/posts/', { json: post })).status).toBe(201);
    await service.stop('SIGKILL');
    await rename(path, `${path}-elsewhere`);
    expect(await fails()).toMatch(
      /^The database .* is missing, but its write-ahead log .*posts\.sqlite-wal is there/,
    );
    await rename(`${path}-elsewhere`, path);
    const again = await ServiceProcess.start({ databasePath: path });
    expect((await again.send('GET', '/posts/')).json()).toMatchObject([post]);
    expect(await again.stop()).toBe(0);
  });

  it.each([
    ['removed', () => rm(path)],
    [
      'replaced',
      () => cp(join(sound, 'posts.sqlite'), `${path}-new`).then(() => rename(`${path}-new`, path)),
    ],
    ['robbed of its log', () => rm(`${path}-wal`)],
  ])('is noticed by writes and readiness while the service runs: %s', async (_, change) => {
    await makeDatabase();
    const service = await ServiceProcess.start({ databasePath: path });
    const post = { title: 'Kept', body: '' };
    expect((await service.send('POST', '/posts/', { json: post })).status).toBe(201);
    expect((await service.send('GET', '/health/ready')).status).toBe(200);
    await change();
    const refused = await service.send('POST', '/posts/', { json: post });
    expect([refused.status, refused.json()]).toMatchObject([
      503,
      { detail: 'The file of the database was removed or replaced; nothing was changed.' },
    ]);
    expect((await service.send('GET', '/health/ready')).status).toBe(503);
    expect((await service.send('GET', '/posts/1/')).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});

describe('the file with the address of the service', () => {
  it('replaces a link instead of following it', async () => {
    await makeDatabase();
    const other = join(folder, 'other');
    await writeFile(other, 'precious');
    await symlink(other, `${path}-url`);
    const service = await ServiceProcess.start({ databasePath: path });
    expect(await readFile(other, 'utf8')).toBe('precious');
    expect(await readFile(`${path}-url`, 'utf8')).toMatch(/^http:/);
    expect(await service.stop()).toBe(0);
  });
});
