import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
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

const storedPosts = (): Promise<number> => countOn(databasePath);

/** Slows down each 500th post of an import, so that it is still running when the service is stopped. */
const SLOW_DOWN = `
  CREATE VIEW many AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000) SELECT n FROM numbers;
  CREATE TRIGGER slow AFTER INSERT ON posts WHEN NEW.title LIKE 'lost %500' OR NEW.title LIKE 'lost %000'
    BEGIN SELECT count(*) FROM many; END`;

/** Begins an import, of which some, but not all, posts are in the file. @returns a function, because the response comes later */
async function startImport(service: ServiceProcess) {
  await executeOn(databasePath, SLOW_DOWN);
  const lines = Array.from({ length: POSTS }, (_, index) => `{"title":"lost ${index}","body":"lost words"}`);
  const response = service.import(lines.join('\n')).catch(() => undefined);
  await until(async () => (await storedPosts()) > 1_000);
  return () => response;
}

const HIDDEN = 'SELECT 1 FROM posts_state WHERE hidden_to > 0';
const INDEXED = `SELECT rowid FROM posts_search WHERE posts_search MATCH '"lost"' LIMIT 1`;

/** Starts the service again, and expects that nothing of the import is left. */
async function expectRemoved(remaining: number): Promise<void> {
  await executeOn(databasePath, 'DROP TRIGGER slow; DROP VIEW many');
  const service = await ServiceProcess.start({ databasePath });
  expect(await service.count()).toBe(remaining);
  expect(await service.count('search=lost')).toBe(0);
  // The removal runs in the background.
  await until(async () => (await storedPosts()) === remaining);
  await until(async () => (await queryOn(databasePath, HIDDEN)).length === 0);
  expect(await queryOn(databasePath, INDEXED)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('.import'))).toEqual([]);
  expect(await service.count()).toBe(remaining);
  expect(await service.stop()).toBe(0);
}

describe('an import whose service ends', () => {
  it('is rejected completely when the shutdown timeout expires', async () => {
    const first = await ServiceProcess.start({ databasePath, environment: { SHUTDOWN_TIMEOUT: '2' } });
    const responseOf = await startImport(first);
    expect(await first.stop()).toBe(0);
    expect(await responseOf()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    await expectRemoved(0);
  });

  it('is never visible when the service is killed, and is removed after the next start', async () => {
    const first = await ServiceProcess.start({ databasePath });
    await first.create('before');
    await startImport(first);
    expect(await first.count()).toBe(1);
    expect(await first.count('search=lost')).toBe(0);
    await first.stop('SIGKILL');
    expect(await storedPosts()).toBeGreaterThan(1_000);
    expect(await storedPosts()).toBeLessThan(POSTS);
    await expectRemoved(1);
  });
});
