import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentedCommands } from '../support/commands-of-docs.js';
import { PostgresServer } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
/** The commands and settings that docs/operations.md recommends. */
const commands = new DocumentedCommands('operations.md');
const ROOT = join(import.meta.dirname, '../..');

let folder: string;
beforeAll(async () => {
  folder = temporaryFolder();
  // PostgreSQL runs as another user when the tests run as root.
  await run('chmod', ['777', folder]);
});

/**
 * The path of a PostgreSQL program that the npm package does not contain.
 *
 * @throws when the machine has no such program
 */
function assertHas(server: PostgresServer, program: string): string {
  const path = join(server.binaries, program);
  if (!existsSync(path)) throw new Error(`${path} is missing: apt-get install postgresql`);
  return path;
}

describe('PostgreSQL', () => {
  it('is restored to a point in time from pg_basebackup and a WAL archive', async () => {
    const archive = join(folder, 'archive');
    await mkdir(archive, { mode: 0o777 });
    await run('chmod', ['777', archive]);
    const here = (text: string): string => text.trim().replaceAll('/archive', archive);
    const server = await PostgresServer.start([here(commands.take('wal_level'))]);
    let restored: PostgresServer | undefined;
    try {
      const service = await ServiceProcess.start({ environment: { DATABASE_URL: server.url() } });
      await service.create('before the base backup');
      const script = commands
        .take('pg_basebackup --dbname="$DATABASE_URL"')
        .replace('/backups/base', join(folder, 'base'));
      const env = {
        PATH: `${join(assertHas(server, 'pg_basebackup'), '..')}:${process.env['PATH']}`,
        DATABASE_URL: server.url(),
      };
      // Every week, another folder.
      for (const _ of [1, 2]) {
        await run('bash', ['-ec', script], { env });
        await sleep(1_100);
      }
      const bases = (await readdir(folder)).filter((name) => name.startsWith('base-')).toSorted();
      expect(bases).toHaveLength(2);
      const base = join(folder, bases[1]!);
      await service.create('after the base backup');
      const [{ moment }] = await server.query('SELECT CAST(clock_timestamp() AS text) AS moment');
      await sleep(50);
      expect((await service.send('DELETE', '/posts/1/')).status).toBe(204);
      const [{ segment }] = await server.query('SELECT pg_walfile_name(pg_current_wal_lsn()) AS segment');
      await server.query('SELECT pg_switch_wal()');
      await until(async () => (await readdir(archive)).includes(segment));
      await service.stop();
      await server.stop();

      restored = await PostgresServer.restored(base, [
        here(commands.take('restore_command')).replace('2026-11-20 14:40:00+00', moment),
      ]);
      await until(
        async () => (await restored!.query('SELECT NOT pg_is_in_recovery() AS "is"'))[0].is === true,
      );
      expect(await restored.query('SELECT title FROM posts ORDER BY id')).toEqual([
        { title: 'before the base backup' },
        { title: 'after the base backup' },
      ]);
      // The service can write to the restored database.
      const again = await ServiceProcess.start({ environment: { DATABASE_URL: restored.url() } });
      await again.create('after the recovery');
      expect(await again.stop()).toBe(0);
    } finally {
      await restored?.remove();
      await server.remove();
    }
  });
});

describe('backup-postgres.sh', () => {
  it('dumps the schema of ?schema=, verifies the server, and notes its time for the metrics', async () => {
    const server = await PostgresServer.start();
    try {
      const certificate = await server.encrypt();
      await server.query('CREATE SCHEMA blog');
      const url = `${server.url().replace('127.0.0.1', 'localhost')}?schema=blog&sslmode=verify-full`;
      const withCa = `${url}&sslrootcert=${certificate}`;
      let service = await ServiceProcess.start({ environment: { DATABASE_URL: withCa } });
      await service.create('in a schema');
      const PATH = `${join(assertHas(server, 'pg_dump'), '..')}:${process.env['PATH']}`;
      const backup = (env: Record<string, string>) =>
        run('bash', [join(ROOT, 'deploy/kubernetes/backup-postgres.sh'), join(folder, 'schemas'), '1'], {
          env: { PATH, ...env },
        });
      await mkdir(join(folder, 'schemas'));
      for (const name of ['posts-20200101T000000Z.dump', 'notes.txt'])
        await writeFile(join(folder, 'schemas', name), '');
      const { stdout } = await backup({ DATABASE_URL: url, PGSSLROOTCERT: certificate });
      // It has deleted the old dump and nothing else.
      expect(await readdir(join(folder, 'schemas'))).toEqual([
        'notes.txt',
        expect.stringMatching(/^posts-2(?!0200101)/),
      ]);
      // The CAs of the system do not know this server; `require` verifies nothing.
      await expect(backup({ DATABASE_URL: url })).rejects.toThrow(/certificate verify failed|does not exist/);
      await backup({ DATABASE_URL: url.replace('verify-full', 'require'), PGSSLROOTCERT: '/etc/passwd' });

      const noted = await service.metric('database_last_backup_timestamp_seconds');
      expect(Math.abs(noted - Date.now() / 1_000)).toBeLessThan(300);
      await service.stop();

      const [, dump = ''] = /^(.*\.dump) was written and verified\.\n$/.exec(stdout)!;
      expect(dump).not.toBe('');
      await server.query('CREATE DATABASE other');
      const newest = (await readdir(join(folder, 'schemas'))).at(-1)!;
      const restored = [`--dbname=${server.url('other')}`, join(folder, 'schemas', newest)];
      await run(assertHas(server, 'pg_restore'), ['--no-owner', ...restored]);
      service = await ServiceProcess.start({
        environment: { DATABASE_URL: `${server.url('other')}?schema=blog` },
      });
      expect((await service.send('GET', '/posts/')).json()).toHaveLength(1);
      await service.stop();
    } finally {
      await server.remove();
    }
  });
});
