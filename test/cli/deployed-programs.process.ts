import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');

describe('the health check of the image', () => {
  it.each([
    { BASE_PATH: '', path: '/' },
    { BASE_PATH: '/', path: '/' },
    { BASE_PATH: 'blog', path: '/blog/' },
    { BASE_PATH: '/blog/', path: '/blog/' },
  ])('finds the service with BASE_PATH=$BASE_PATH', async ({ BASE_PATH, path }) => {
    const service = await startService({ BASE_PATH });
    expect(new URL('./', `${service.baseUrl}/`).pathname).toBe(path);
    const env = { PATH: process.env['PATH'], PORT: String(service.port), BASE_PATH };
    await promisify(execFile)(process.execPath, [join(ROOT, 'bin/is-live.cjs')], { env });
    await service.stop();
  });
});

describe('backup-postgres.sh', () => {
  /** Programs of PostgreSQL that succeed; `pg_dump` writes its file. */
  const programs = temporaryFolder();
  beforeEach(() => {
    for (const [name, line] of [
      ['pg_dump', 'for word; do case $word in --file=*) echo dump > "${word#--file=}";; esac; done'],
      ['pg_restore', ':'],
      ['psql', ':'],
    ] as const) {
      writeFileSync(join(programs, name), `#!/usr/bin/env bash\n${line}\n`);
      chmodSync(join(programs, name), 0o755);
    }
  });

  const env = { PATH: `${programs}:${process.env['PATH']}`, DATABASE_URL: 'postgres://h/d' };
  const script = join(ROOT, 'deploy/kubernetes/backup-postgres.sh');

  function backUp(folder: string, ...keep: string[]): { status: number | null; stdout: string } {
    return spawnSync('bash', [script, folder, ...keep], { env, encoding: 'utf8' });
  }

  it.each([
    ['SIGINT', 130, 'pg_dump'],
    ['SIGTERM', 143, 'pg_dump'],
    ['SIGTERM', 143, 'pg_restore'],
  ] as const)(
    'ends at once at %s, with %i, and leaves no part of a dump of %s',
    async (signal, code, slow) => {
      const folder = temporaryFolder();
      const line =
        slow === 'pg_dump'
          ? 'for word; do case $word in --file=*) echo > "${word#--file=}";; esac; done'
          : '';
      writeFileSync(
        join(programs, slow),
        `#!/usr/bin/env bash\n${line}\ntouch "${folder}/slow"; exec sleep 60\n`,
      );
      const child = spawn('bash', [script, folder, '3'], { env });
      const [startedAt, ended] = [performance.now(), once(child, 'close')];
      let stderr = '';
      child.stderr.on('data', (chunk) => (stderr += String(chunk)));
      await until(() => existsSync(join(folder, 'slow')));
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      expect(performance.now() - startedAt).toBeLessThan(30_000);
      expect(stderr).toBe(`${signal} ended the backup before it was complete; it can be run again.\n`);
      expect(readdirSync(folder)).toEqual(['slow']);
    },
  );

  it.each([
    [['1'], []],
    [['2'], ['posts-20990101T000000Z.dump']],
    [['4'], ['posts-20200101T000000Z.dump', 'posts-20200102T000000Z.dump', 'posts-20990101T000000Z.dump']],
  ])(
    'keeps %j dumps: the one that it has just written, the newest others, and all other files',
    (keep, kept) => {
      const folder = join(temporaryFolder(), 'with a space');
      mkdirSync(folder);
      const strangers = ['posts-before-upgrade.dump', 'posts-2020.dump', 'notes.txt'];
      const others = ['20200101T000000Z', '20200102T000000Z', '20990101T000000Z'].map(
        (at) => `posts-${at}.dump`,
      );
      for (const name of [...strangers, ...others]) writeFileSync(join(folder, name), '');
      const { status, stdout } = backUp(folder, ...keep);
      const [, made] = /\/(posts-\d{8}T\d{6}Z\.dump) was written and verified\.\n$/.exec(stdout)!;
      expect(status).toBe(0);
      expect(new Set(readdirSync(folder))).toEqual(new Set([...strangers, ...kept, made]));
    },
  );

  it('removes a part of a dump that was not written for a day', () => {
    const folder = temporaryFolder();
    const [old, running] = ['posts-20200101T000000Z.dump.partial', 'posts-20200102T000000Z.dump.partial'];
    for (const name of [old, running, 'old.partial']) writeFileSync(join(folder, name), '');
    const dayAgo = Date.now() / 1_000 - 25 * 3_600;
    for (const name of [old, 'old.partial']) utimesSync(join(folder, name), dayAgo, dayAgo);
    expect(backUp(folder, '3').status).toBe(0);
    const left = readdirSync(folder).filter((name) => !name.endsWith('.dump'));
    expect(left.toSorted()).toEqual(['old.partial', running]);
  });

  it.each([[[]], [['0']], [['']], [['14d']]])('refuses to keep %j, before it writes or removes', (keep) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'posts-20200101T000000Z.dump'), '');
    expect(backUp(folder, ...keep)).toMatchObject({ status: 2, stdout: '' });
    expect(readdirSync(folder)).toEqual(['posts-20200101T000000Z.dump']);
  });
});
