import { jest } from '@jest/globals';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, runCommand } from '../support/command.js';
import { exchange } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { queryOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';

jest.setTimeout(60_000);

let folder: string;
let databasePath: string;
let copy: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-backup-'));
  databasePath = join(folder, 'posts.sqlite');
  copy = join(folder, 'copy.sqlite');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function run(...parameters: string[]): Promise<Outcome> {
  return runCommand(parameters, { folder, environment: { DATABASE_URL: `sqlite:${databasePath}` } });
}

/** Writes posts until it is told to stop. @returns the ids that were acknowledged, in their order */
function writeLoad(port: number): { ids: number[]; stop: () => Promise<void> } {
  const ids: number[] = [];
  const load = new AbortController();
  const agent = new Agent({ keepAlive: true });
  const clients = Array.from({ length: 4 }, async () => {
    while (!load.signal.aborted) {
      const sent = { method: 'POST', target: '/posts/', headers: { 'Content-Type': 'application/json' } };
      const response = await exchange(port, sent, { body: JSON.stringify(aPost()) }, agent);
      ids.push(response.json<PostJson>().id);
    }
  });
  return {
    ids,
    async stop() {
      load.abort();
      await Promise.all(clients);
      agent.destroy();
    },
  };
}

describe('the files of the service', () => {
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  it('are for the user of the service alone, whatever the umask', async () => {
    const umask = process.umask(0o000);
    databasePath = join(folder, 'data', 'inner', 'posts.sqlite');
    const service = await ServiceProcess.start({ databasePath });
    try {
      const data = join(folder, 'data');
      for (const path of [data, join(data, 'inner')]) expect(await modeOf(path)).toBe('700');
      const files = await readdir(join(data, 'inner'));
      expect(files).toEqual(
        expect.arrayContaining(['posts.sqlite', 'posts.sqlite-lock', 'posts.sqlite-wal']),
      );
      for (const file of files)
        expect([file, await modeOf(join(data, 'inner', file))]).toEqual([file, '600']);
      expect((await run('backup', copy)).status).toBe(0);
      service.kill('SIGTERM');
      expect(await service.exited()).toBe(0);
      expect((await run('export', join(folder, 'posts.csv'))).status).toBe(0);
      for (const path of [copy, join(folder, 'posts.csv')]) expect(await modeOf(path)).toBe('600');

      await chmod(copy, 0o644);
      await chmod(data, 0o755);
      expect((await run('restore', copy)).status).toBe(0);
      expect(await modeOf(databasePath)).toBe('600');
      // What the service has not made keeps its mode.
      expect([await modeOf(data), await modeOf(copy)]).toEqual(['755', '644']);
    } finally {
      service.kill('SIGKILL');
      process.umask(umask);
    }
  });
});

describe('the commands backup and restore', () => {
  it('copy a database that is being written to, and bring the copy back', async () => {
    const service = await ServiceProcess.start({ databasePath });
    const load = writeLoad(service.port);
    await until(() => load.ids.length >= 100);
    const before = [...load.ids];
    const done = await run('backup', copy);
    const refused = await run('restore', copy);
    const written = load.ids.length;
    await until(() => load.ids.length > written);
    await load.stop();
    expect(done).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/ holds \d+ posts; it was verified\.\n$/),
    });
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is open in another service'),
    });

    const copied = await queryOn<{ id: number }>(copy, 'SELECT id FROM posts ORDER BY id');
    const inCopy = new Set(copied.map(({ id }) => id));
    expect(before.filter((id) => !inCopy.has(id))).toEqual([]);
    // The copy is of one moment: nothing is missing below its last post.
    expect(copied.at(-1)!.id).toBe(copied.length);
    expect(load.ids.length).toBeGreaterThan(copied.length);

    service.kill('SIGTERM');
    await service.exited();
    expect(await run('restore', copy)).toMatchObject({ status: 0, stderr: '' });
    const again = await ServiceProcess.start({ databasePath });
    expect(await queryOn(databasePath, 'SELECT id FROM posts ORDER BY id')).toEqual(copied);
    again.kill('SIGTERM');
    expect(await again.exited()).toBe(0);
  });

  it('overwrite no file, and restore nothing that is not sound', async () => {
    const service = await ServiceProcess.start({ databasePath });
    service.kill('SIGTERM');
    await service.exited();
    await writeFile(copy, 'not a database');
    expect(await run('backup', copy)).toMatchObject({
      status: 1,
      stderr: `${copy} exists already; a backup overwrites nothing.\n`,
    });
    expect(await run('restore', copy)).toMatchObject({
      status: 1,
      stderr: `${copy} is not a sound database of the service.\n`,
    });
    expect(await queryOn(databasePath, 'SELECT count(*) AS count FROM posts')).toEqual([{ count: 0 }]);
  });

  it('say how they are used', async () => {
    expect(await run('backup')).toMatchObject({ status: 2, stderr: expect.stringContaining('backup FILE') });
  });
});
