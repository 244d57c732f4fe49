import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const READ_ONLY = 'is read-only; the service must be able to write to it.\n';
const isRoot = process.getuid?.() === 0;

let folder: string;
let databasePath: string;
const mounted: string[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  databasePath = join(folder, 'posts.sqlite');
});
afterEach(async () => {
  for (const path of mounted.splice(0)) execFileSync('umount', ['-l', path]);
});

/** A read-only mount, because root can write despite missing write permission. */
function makeReadOnly(path: string): void {
  execFileSync('mount', ['--bind', path, path]);
  mounted.push(path);
  execFileSync('mount', ['-o', 'remount,ro,bind', path]);
}

async function makeDatabase(): Promise<void> {
  const service = await ServiceProcess.start({ databasePath });
  await service.send('POST', '/posts/', { json: { title: 'A title', body: '' } });
  expect(await service.stop()).toBe(0);
}

/** The files of the folder with their digests. */
async function contents(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const digests = names.map(async (name) => [
    name,
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(digests)) as Record<string, string>;
}

// Only root may mount.
(isRoot ? describe : describe.skip)('the start of the service', () => {
  it.each<[string, () => Promise<void>, string]>([
    ['the database', () => makeDatabase().then(() => makeReadOnly(databasePath)), READ_ONLY],
    ['the folder of the database', () => makeDatabase().then(() => makeReadOnly(folder)), READ_ONLY],
    [
      'the folder for a new database',
      async () => makeReadOnly(folder),
      'of the database is not writable; let this process write to it, or set DATABASE_URL.\n',
    ],
  ])(
    'fails with a one-line error and changes no file when %s is read-only',
    async (_, prepare, sentence) => {
      await prepare();
      const before = await contents();
      const service = ServiceProcess.spawn({ databasePath });
      expect(await service.exited()).toBe(1);
      expect(service.stderr.endsWith(sentence)).toBe(true);
      expect(service.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(await contents()).toEqual(before);
    },
    30_000,
  );
});
