import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { countOn, queryOn } from '../support/sqlite-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROUNDS = 3;
/** An import for which a disk of 3,500 KiB has no room, beside its temporary file. */
const IMPORTED = 12_000;
const LINE = `${JSON.stringify({ title: 'bulk', body: 'Some words of an import that does not fit on the disk.' })}\n`;
const LARGE_IMPORT = LINE.repeat(IMPORTED);

/** Only root may mount a disk that is small enough to fill. */
const IS_ROOT = process.getuid?.() === 0;

let disk: string;
let databasePath: string;

function runAsRoot(program: string, parameters: readonly string[]): void {
  if (IS_ROOT) execFileSync(program, parameters);
  else execFileSync('sudo', ['-n', program, ...parameters]);
}

function mountDisk(size: string): void {
  runAsRoot('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]);
}

function resizeDisk(size: string): void {
  runAsRoot('mount', ['-o', `remount,size=${size}`, disk]);
}

beforeEach(() => {
  disk = temporaryFolder();
  databasePath = join(disk, 'posts.sqlite');
});
afterEach(() => runAsRoot('umount', ['-l', disk]));

const NO_SPACE = 'The database has no space left; nothing was changed.';
const TOO_LARGE = 'The import takes more than its part of the free space on the disk; nothing was changed.';

function expectRefused(response: HttpResponse, detail = NO_SPACE): void {
  expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
  expect(response.problem.detail).toBe(detail);
}

// In CI, the tests fail where neither root nor sudo is available.
(IS_ROOT || process.env['CI'] !== undefined ? describe : describe.skip)('a full disk', () => {
  it('refuses an import whose temporary file does not fit, with 503', async () => {
    mountDisk('2m');
    const service = await ServiceProcess.start({ databasePath });
    const line = JSON.stringify({ title: 'x', body: 'x'.repeat(3_000_000) });
    expectRefused(await service.import(line), TOO_LARGE);
    expect((await service.import('{"title":"fits","body":""}\n')).status).toBe(201);
    expect(await service.stop()).toBe(0);
  });

  it('refuses what does not fit, and takes it when there is room', async () => {
    mountDisk('3500k');
    const service = await ServiceProcess.start({ databasePath });
    expectRefused(await service.import(LARGE_IMPORT), TOO_LARGE);
    // The next one is refused too, and does not wait for the first.
    expectRefused(await service.import(LARGE_IMPORT), TOO_LARGE);
    let stored = 0;
    const store = () => service.post({ title: 'x', body: 'x'.repeat(200_000) });
    let response = await store();
    for (; response.status === 201; response = await store()) stored += 1;
    expectRefused(response);
    resizeDisk('60m');
    expect((await service.import(LARGE_IMPORT)).json()).toMatchObject({ created: IMPORTED });
    const all = IMPORTED + stored;
    expect(await service.count()).toBe(all);
    expect(await countOn(databasePath)).toBe(all);
    expect(await queryOn(databasePath, 'SELECT posts FROM posts_counters')).toEqual([{ posts: all }]);
    expect(await service.metric('posts_writes_refused_total')).toBe(3);
    expect(service.stdout).toMatch(/"level":"warn".*The database has no space left/);
    expect(service.stdout).toContain('The database accepts writes again.');
    expect(service.stdout).not.toContain('"stack"');
    expect(await service.stop()).toBe(0);
  });

  it('is named by the start, which fails', async () => {
    mountDisk('8m');
    const first = await ServiceProcess.start({ databasePath });
    expect(await first.stop()).toBe(0);
    expect(() => writeFileSync(join(disk, 'fill'), Buffer.alloc(16_000_000))).toThrow('ENOSPC');
    const { startFault } = await ServiceProcess.failure({ databasePath });
    expect(startFault).toMatch(/^The disk of the database .* is full; free some space on it\.$/);
  });

  it.each(['8k', '64k'])(
    'is named by the first start, which has no room for its tables: %s',
    async (size) => {
      mountDisk(size);
      const { startFault } = await ServiceProcess.failure({ databasePath });
      expect(startFault).toMatch(/^The disk of the database .* is full; free some space on it\.$/);
    },
  );

  it('can be backed up to another disk', async () => {
    mountDisk('8m');
    const service = await ServiceProcess.start({ databasePath });
    expect(() => writeFileSync(join(disk, 'fill'), Buffer.alloc(16_000_000))).toThrow('ENOSPC');
    const [folder, environment] = [temporaryFolder(), { DATABASE_URL: `sqlite:${databasePath}` }];
    const done = await runCommand(['backup', join(folder, 'copy.sqlite')], { folder, environment });
    expect(done).toMatchObject({ status: 0, stderr: '' });
    const copy = join(disk, 'copy.sqlite');
    const stderr = `The disk of the database ${copy} is full; free some space on it.\n`;
    expect(await runCommand(['backup', copy], { folder, environment })).toMatchObject({ status: 1, stderr });
    expect(await service.metric('posts_database_last_backup_timestamp_seconds')).toBeGreaterThan(0);
    expect(await service.stop()).toBe(0);
  });

  it('gives 503, loses no acknowledged write, and recovers when there is room', async () => {
    mountDisk('8m');
    const service = await ServiceProcess.start({ databasePath });
    const acknowledged: number[] = [];
    const create = async (): Promise<HttpResponse> => {
      const response = await service.post({ title: 'Full', body: 'x'.repeat(30_000) });
      if (response.status === 201) acknowledged.push(response.json<PostJson>().id);
      return response;
    };
    const reserves = Array.from({ length: ROUNDS }, (_, round) => join(disk, `reserve-${round}`));
    for (const reserve of reserves) writeFileSync(reserve, Buffer.alloc(1_000_000));
    for (const reserve of reserves) {
      let response = await create();
      while (response.status === 201) response = await create();
      expectRefused(response);
      expect((await service.get('/health/ready')).json()).toEqual({
        status: 'ok',
        writes: 'refused',
        detail: 'The database has no space left: writes are refused.',
      });
      // Reads still work.
      expect((await service.get(`/posts/${acknowledged[0]}/`)).status).toBe(200);
      rmSync(reserve);
      expect((await create()).status).toBe(201);
      expect((await service.get('/health/ready')).json()).toEqual({ status: 'ok' });
    }
    const stored = await queryOn<{ id: number }>(databasePath, 'SELECT id FROM posts ORDER BY id');
    expect(stored.map(({ id }) => id)).toEqual(acknowledged);
    expect(await service.stop()).toBe(0);
  });
});
