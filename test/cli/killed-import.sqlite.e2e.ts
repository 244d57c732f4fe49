import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess } from '../support/service-process.js';
import { countOn, executeOn, queryOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let databasePath: string;
beforeEach(() => {
  folder = temporaryFolder();
  databasePath = join(folder, 'posts.sqlite');
});

const POSTS = 30_000;

/** Slows down each 500th post of an import, so that it is still running when the service is stopped. */
const SLOW_DOWN = `
  CREATE VIEW many AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000) SELECT n FROM numbers;
  CREATE TRIGGER slow AFTER INSERT ON posts WHEN NEW.title LIKE 'lost %500' OR NEW.title LIKE 'lost %000'
    BEGIN SELECT count(*) FROM many; END`;

/** Begins an import, and resolves in the middle of its transaction. @returns a function, because the response comes later */
async function startImport(service: ServiceProcess) {
  await executeOn(databasePath, SLOW_DOWN);
  const lines = Array.from({ length: POSTS }, (_, index) => `{"title":"lost ${index}","body":"lost words"}`);
  const response = service.import(lines.join('\n')).catch(() => undefined);
  const isWritten = (): Promise<boolean> =>
    executeOn(databasePath, 'PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK').then(
      () => false,
      () => true,
    );
  await until(isWritten);
  await sleep(300);
  expect(await isWritten()).toBe(true);
  return () => response;
}

/** Starts the service again, and expects that nothing of the import is left. */
async function expectNothingOf(remaining: number): Promise<void> {
  await executeOn(databasePath, 'DROP TRIGGER slow; DROP VIEW many');
  const service = await ServiceProcess.start({ databasePath });
  expect(await service.count()).toBe(remaining);
  expect(await service.count('search=lost')).toBe(0);
  expect(await countOn(databasePath)).toBe(remaining);
  const indexed = `SELECT rowid FROM posts_search WHERE posts_search MATCH '"lost"' LIMIT 1`;
  expect(await queryOn(databasePath, indexed)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('.import'))).toEqual([]);
  expect(await service.stop()).toBe(0);
}

describe('an import whose service ends', () => {
  it('is rejected completely when the shutdown timeout expires', async () => {
    const first = await ServiceProcess.start({ databasePath, environment: { SHUTDOWN_TIMEOUT: '2' } });
    const responseOf = await startImport(first);
    expect(await first.stop()).toBe(0);
    expect(await responseOf()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await expectNothingOf(0);
  });

  it('leaves nothing when the service is killed; other acknowledged writes are kept', async () => {
    const first = await ServiceProcess.start({ databasePath });
    await first.create('before');
    await startImport(first);
    expect(await first.count()).toBe(1);
    expect(await first.count('search=lost')).toBe(0);
    await first.stop('SIGKILL');
    await expectNothingOf(1);
  });
});
