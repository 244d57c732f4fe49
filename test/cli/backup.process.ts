import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Outcome, runCommand } from '../support/command.js';
import { aPost, type PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { countOn, executeOn, queryOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let databasePath: string;
let copy: string;
beforeEach(() => {
  folder = temporaryFolder();
  databasePath = join(folder, 'posts.sqlite');
  copy = join(folder, 'copy.sqlite');
});

function run(...parameters: string[]): Promise<Outcome> {
  return runCommand(parameters, { folder, environment: { DATABASE_URL: `sqlite:${databasePath}` } });
}

describe('the files of the service', () => {
  const umask = process.umask();
  beforeAll(() => void process.umask(0o000));
  afterAll(() => void process.umask(umask));

  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  it('are accessible only to the user of the service, regardless of the umask', async () => {
    databasePath = join(folder, 'data', 'inner', 'posts.sqlite');
    const service = await ServiceProcess.start({ databasePath });
    const data = join(folder, 'data');
    for (const path of [data, join(data, 'inner')]) expect(await modeOf(path)).toBe('700');
    const files = (await readdir(join(data, 'inner'))).map((file) => join(data, 'inner', file));
    for (const part of ['', '-lock', '-wal']) expect(files).toContain(databasePath + part);
    for (const file of files) expect([file, await modeOf(file)]).toEqual([file, '600']);
    expect((await run('backup', copy)).status).toBe(0);
    expect(await service.stop()).toBe(0);
    expect(await modeOf(copy)).toBe('600');

    await chmod(copy, 0o644);
    await chmod(data, 0o755);
    expect((await run('restore', copy)).status).toBe(0);
    expect(await modeOf(databasePath)).toBe('600');
    // Files that the service did not create keep their mode.
    expect([await modeOf(data), await modeOf(copy)]).toEqual(['755', '644']);
  });
});

describe('the commands backup and restore', () => {
  it('copy a database during writes, restore the copy, and keep the database of a killed service', async () => {
    const service = await ServiceProcess.start({ databasePath });
    const ids: number[] = [];
    const load = new AbortController();
    const clients = Array.from({ length: 4 }, async () => {
      while (!load.signal.aborted) {
        const response = await service.post(aPost());
        ids.push(response.json<PostJson>().id);
      }
    });
    await until(() => ids.length >= 100);
    const before = [...ids];
    const done = await run('backup', copy);
    const refused = await run('restore', copy);
    const written = ids.length;
    await until(() => ids.length > written);
    load.abort();
    await Promise.all(clients);
    const verified = expect.stringMatching(/ was written and verified\. Posts: \d+\.\n$/);
    expect(done).toMatchObject({ status: 0, stdout: verified });
    const isOpen = expect.stringContaining('is open in another service');
    expect(refused).toMatchObject({ status: 1, stderr: isOpen });

    const copied = await queryOn<{ id: number }>(copy, 'SELECT id FROM posts ORDER BY id');
    // The copy is a consistent snapshot: no post below its last one is missing.
    expect(copied.map(({ id }) => id)).toEqual(copied.map((_, index) => index + 1));
    expect(copied.length).toBeGreaterThanOrEqual(Math.max(...before));
    expect(ids.length).toBeGreaterThan(copied.length);

    await service.stop('SIGKILL');
    expect((await stat(`${databasePath}-wal`)).size).toBeGreaterThan(0);
    const restored = await run('restore', copy);
    expect(restored).toMatchObject({ status: 0, stderr: '' });
    const kept = /is kept as (.*)\.\n/.exec(restored.stdout)![1]!;
    const again = await ServiceProcess.start({ databasePath });
    expect(await queryOn(databasePath, 'SELECT id FROM posts ORDER BY id')).toEqual(copied);
    expect(await again.stop()).toBe(0);
    expect((await run('restore', kept)).status).toBe(0);
    expect(await countOn(databasePath)).toBe(ids.length);
  });

  it('write to no existing file and no missing folder', async () => {
    expect((await run('seed', '1')).status).toBe(0);
    await writeFile(copy, 'kept');
    for (const [target, sentence] of [
      [copy, `${copy} exists already; a backup overwrites nothing.`],
      ['/missing/folder/a.sqlite', "ENOENT: no such file or directory, access '/missing/folder'"],
    ])
      expect(await run('backup', target!)).toMatchObject({ status: 1, stderr: `${sentence}\n` });
    expect(await readFile(copy, 'utf8')).toBe('kept');
  });

  it('makes no file with the name -', async () => {
    await (await ServiceProcess.start({ databasePath })).stop();
    const { status, stderr } = await run('backup', '-');
    expect([status, stderr]).toEqual([1, expect.stringContaining('A backup is a file, not standard output')]);
    expect(await readdir(folder)).not.toContain('-');
  });

  it('tells clients that keep a copy to start over after a restore', async () => {
    const service = await ServiceProcess.start({ databasePath });
    const before = new Date(Date.now() - 60_000).toISOString();
    expect((await service.get(`/deleted-posts/?deleted_after=${before}`)).status).toBe(200);
    expect((await run('backup', copy)).status).toBe(0);
    await service.stop();
    expect((await run('restore', copy)).status).toBe(0);
    const restored = await ServiceProcess.start({ databasePath });
    const { problem } = await restored.get(`/deleted-posts/?deleted_after=${before}`);
    expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    const statusSince = async (time: Date): Promise<number> =>
      (await restored.get(`/deleted-posts/?deleted_after=${time.toISOString()}`)).status;
    // The restore counts as made at the end of its second.
    await until(async () => (await statusSince(new Date())) === 200);
    const startsOver = async (): Promise<number> => {
      const lastModified = (await restored.get('/posts/')).headers['last-modified'] as string;
      return statusSince(new Date(lastModified));
    };
    // Last-Modified is two seconds behind.
    await until(async () => (await startsOver()) === 200);
    await restored.stop();
  });

  it('say what is wrong with a damaged database', async () => {
    expect((await run('seed', '100')).status).toBe(0);
    await truncate(databasePath, 65_536);
    const stderr = `${databasePath} cannot be copied to ${copy}: SQLITE_CORRUPT: database disk image is malformed.\n`;
    expect(await run('backup', copy)).toMatchObject({ status: 1, stderr });
    expect(await readdir(folder)).not.toContain('copy.sqlite');
  });
});

describe('the command backup with --keep', () => {
  it('names backups by their time, and removes only older backups', async () => {
    expect((await run('seed', '3')).status).toBe(0);
    const backups = join(folder, 'backups');
    await mkdir(backups);
    const stranger = ['notes.txt', 'posts-now.sqlite', 'posts-20200101T000000Z.sqlite.gz'];
    const killed = 'posts-20200101T120000Z.sqlite';
    const parts = ['.partial', '.partial-journal', '.sha256'].map((part) => killed + part);
    const gone = ['posts-20200101T000000Z.sqlite', ...parts];
    const kept = 'posts-20200102T000000Z.sqlite';
    for (const name of [...stranger, ...gone, kept]) await writeFile(join(backups, name), '');

    const { status, stdout, stderr } = await run('backup', backups, '--keep', '2');
    expect([status, stderr]).toEqual([0, '']);
    const [, made = ''] = /\/(posts-\d{8}T\d{6}Z\.sqlite) was written and verified\. Posts: 3\.\n/.exec(
      stdout,
    )!;
    expect(stdout).toContain('Older backups that were removed: 1.\n');
    const left = [...stranger, kept, made, `${made}.sha256`];
    expect((await readdir(backups)).toSorted()).toEqual(left.toSorted());
  });

  it('keeps the backup that it has just written, also beside those of a clock that was ahead', async () => {
    expect((await run('seed', '3')).status).toBe(0);
    const backups = join(folder, 'backups');
    await mkdir(backups);
    const ahead = ['posts-20990101T000000Z.sqlite', 'posts-20990102T000000Z.sqlite'];
    for (const name of ahead) await writeFile(join(backups, name), '');
    const { stdout } = await run('backup', backups, '--keep', '2');
    const [, made = ''] = /\/(posts-\w+\.sqlite) was written and verified\./.exec(stdout)!;
    expect(stdout).toContain('Older backups that were removed: 1.\n');
    expect((await readdir(backups)).toSorted()).toEqual([made, `${made}.sha256`, ahead[1]]);
  });

  it('removes nothing when the backup fails', async () => {
    const backups = join(folder, 'backups');
    await mkdir(backups);
    await writeFile(join(backups, 'posts-20200101T000000Z.sqlite'), '');
    await executeOn(databasePath, 'CREATE TABLE recipes (id integer)');
    const stderr = `The database ${databasePath} holds the tables of another program.\n`;
    expect(await run('backup', backups, '--keep', '1')).toMatchObject({ status: 1, stderr });
    expect(await readdir(backups)).toEqual(['posts-20200101T000000Z.sqlite']);
    expect((await run('backup', backups, '--keep', '0')).status).toBe(2);
  });
});

describe('the command restore', () => {
  let made: string;
  beforeAll(async () => {
    made = temporaryFolder();
    const runThere = (...parameters: string[]) =>
      runCommand(parameters, { folder: made, environment: { DATABASE_URL: 'sqlite:posts.sqlite' } });
    expect((await runThere('seed', '3')).status).toBe(0);
    expect((await runThere('backup', 'copy.sqlite')).status).toBe(0);
  });

  /** A database with three posts, and a backup of it. */
  beforeEach(() => cp(made, folder, { recursive: true }));

  const OF_TOMORROW = `INSERT INTO migrations (timestamp, name) VALUES (1, 'OfTomorrow1')`;
  const changed = (statements: string) => () => executeOn(copy, statements);
  const makeFifo = () => rm(copy).then(() => promisify(execFile)('mkfifo', [copy]));
  const link = () => rm(copy).then(() => symlink(databasePath, copy));

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a FIFO', makeFifo, / is not a file; a SQLite database/],
    ['a link to the database itself', link, / are the same file\.$/],
    ['an empty file', () => truncate(copy, 0), / is not a SQLite database\.$/],
    ['a part of a backup', () => truncate(copy, 20_000), / cannot be read: SQLITE_CORRUPT: .*malformed\.$/],
    ['a backup of a newer version', changed(OF_TOMORROW), / newer version of the service \(OfTomorrow1\)/],
  ])('refuses %s, and changes nothing', async (_, prepare, sentence) => {
    await prepare();
    const before = [await readFile(databasePath), (await readdir(folder)).toSorted()];
    const { status, stdout, stderr } = await run('restore', copy);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect([await readFile(databasePath), (await readdir(folder)).toSorted()]).toEqual(before);
  });

  it('refuses a backup in which one bit has changed', async () => {
    const bytes = await readFile(copy);
    const [post] = await queryOn<{ text: string }>(copy, 'SELECT substr(body, 1, 20) AS text FROM posts');
    bytes[bytes.indexOf(post!.text)]! ^= 1;
    await writeFile(copy, bytes);
    const stderr = `${copy} has changed since the backup was made: it does not fit its checksum.\n`;
    expect(await run('restore', copy)).toEqual({ status: 1, stdout: '', stderr });
    await rm(`${copy}.sha256`);
    const unnoticed = `There is no ${copy}.sha256, so changes of its texts`;
    expect((await run('restore', copy)).stdout).toContain(unnoticed);
  });

  it('keeps mode and owner, and reports what it restores', async () => {
    await chmod(databasePath, 0o640);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) await chown(databasePath, 1_234, 1_234);
    const first = await run('restore', copy);
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toContain('It brings back passwords, sessions and API tokens');
    expect((await run('backup', join(folder, 'next.sqlite'))).status).toBe(0);
    for (const path of isRoot ? [databasePath, `${databasePath}-lock`, `${databasePath}-backup`] : [])
      expect(await stat(path)).toMatchObject({ uid: 1_234, gid: 1_234 });
    expect((await stat(databasePath)).mode & 0o777).toBe(0o640);
  });
});

describe('a signal in the middle of a command', () => {
  it.each<[NodeJS.Signals, string, string]>([
    ['SIGINT', 'backup', 'copy.sqlite.partial'],
    ['SIGTERM', 'backup', 'copy.sqlite.partial'],
    ['SIGHUP', 'restore', 'posts.sqlite.restoring'],
    ['SIGTERM', 'restore', 'posts.sqlite.restoring'],
  ])('%s ends %s while it writes %s, and leaves no part of a file', async (signal, command, unfinished) => {
    expect((await run('seed', '3')).status).toBe(0);
    // Copying, verifying and reading it again takes long enough.
    await executeOn(databasePath, 'CREATE TABLE padding AS SELECT zeroblob(100000000) AS zeros');
    if (command === 'restore') expect((await run('backup', copy)).status).toBe(0);
    const filesOf = async () => (await readdir(folder)).filter((name) => !/-(wal|shm|lock)$/.test(name));
    const before = await filesOf();
    const program = join(import.meta.dirname, '../../bin/posts-service.cjs');
    const env = { PATH: process.env['PATH'], DATABASE_URL: `sqlite:${databasePath}` };
    const child = spawn(process.execPath, [program, command, copy], { cwd: folder, env });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const ended = once(child, 'close');
    await until(async () => (await readdir(folder)).includes(unfinished) || child.exitCode !== null);
    child.kill(signal);
    // By the signal itself: a shell shows 128 and its number, and a script in it ends, too.
    expect(await ended).toEqual([null, signal]);
    expect(stderr).toMatch(
      new RegExp(`^${signal} ended the command before it was complete; it can be run again\\.\\n$`),
    );
    expect(await filesOf()).toEqual(before);
    expect(await countOn(databasePath)).toBe(3);
    expect((await run(command, copy)).status).toBe(0);
  });
});
