import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { executeOn } from '../support/sqlite-file.js';
import { ServiceProcess } from '../support/service-process.js';

const sound = await mkdtemp(join(tmpdir(), 'posts-sound-'));
let folder: string;
let path: string;

/** Starts the service once, to create a database, and stops it. */
beforeAll(async () => {
  const service = await ServiceProcess.start({ databasePath: join(sound, 'posts.sqlite') });
  service.kill('SIGTERM');
  expect(await service.exited()).toBe(0);
});
afterAll(() => rm(sound, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-start-'));
  path = join(folder, 'posts.sqlite');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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
  it.each<[string, () => Promise<void>, string]>([
    ['is not a database', () => writeFile(path, randomBytes(10_000)), 'is not a SQLite database.\n'],
    [
      'is damaged',
      async () => {
        await makeDatabase();
        const bytes = await readFile(path);
        randomBytes(4_096).copy(bytes, 8_192);
        await writeFile(path, bytes);
      },
      'is damaged; restore a backup.\n',
    ],
    [
      'is truncated',
      async () => {
        await makeDatabase();
        await truncate(path, 10_000);
      },
      'is damaged; restore a backup.\n',
    ],
    [
      'was written by a newer version',
      async () => {
        await makeDatabase();
        await executeOn(path, `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`);
      },
      'was written by a newer version of the service (OfTomorrow1); start that version.\n',
    ],
    [
      'belongs to another program',
      () => executeOn(path, 'CREATE TABLE recipes (id integer)'),
      'holds the tables of another program.\n',
    ],
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
    migrated.kill('SIGTERM');
    expect(await migrated.exited()).toBe(0);
  });

  it('fails while another service has the database open, until that service is killed', async () => {
    const first = await ServiceProcess.start({ databasePath: path });
    const stderr = await fails();
    expect(stderr).toMatch(
      /is open in another service; stop that one, or give this one another DATABASE_URL\.\n$/,
    );
    first.kill('SIGKILL');
    await first.exited();
    const second = await ServiceProcess.start({ databasePath: path });
    // The lock does not exclude readers in other processes.
    await executeOn(path, 'SELECT count(*) FROM posts');
    second.kill('SIGTERM');
    expect(await second.exited()).toBe(0);
  });

  it('fails with a sentence, and nothing in the log, when the folder is not writable', async () => {
    // Not even root can write there.
    const databasePath = '/sys/posts/posts.sqlite';
    const service = ServiceProcess.spawn({ databasePath });
    expect(await service.exited()).toBe(1);
    expect(service.stderr).toMatch(/^The folder \/sys\/posts of the database is not writable; .*\.\n$/);
    expect(service.stdout).toBe('');
  });

  it('fails with a sentence, and does not log the error, when the port is in use', async () => {
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
    expect(service.stdout).not.toContain('EADDRINUSE');
  });
});
