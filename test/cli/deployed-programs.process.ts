import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '../support/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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

  function backUp(folder: string, ...keep: string[]): { status: number | null; stdout: string } {
    const env = { PATH: `${programs}:${process.env['PATH']}`, DATABASE_URL: 'postgres://h/d' };
    const script = join(ROOT, 'deploy/kubernetes/backup-postgres.sh');
    return spawnSync('bash', [script, folder, ...keep], { env, encoding: 'utf8' });
  }

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

  it.each([[[]], [['0']], [['']], [['14d']]])('refuses to keep %j, before it writes or removes', (keep) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'posts-20200101T000000Z.dump'), '');
    expect(backUp(folder, ...keep)).toMatchObject({ status: 2, stdout: '' });
    expect(readdirSync(folder)).toEqual(['posts-20200101T000000Z.dump']);
  });
});
