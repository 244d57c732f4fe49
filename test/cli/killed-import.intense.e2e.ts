import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../support/http-client.js';
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

/** Imports that are killed at random times: before, during and after each phase. */
const ROUNDS = globalThis.IS_INTENSE === true ? Number(process.env['KILLED_IMPORTS'] ?? 5) : 1;
/** About the duration of an import. */
const MAX_LIFE_MS = 1_500;

const storedPosts = (): Promise<number> => countOn(databasePath);

/** Slows down each 500th post of an import, so that it is still running when the service is stopped. */
const SLOW_DOWN = `
  CREATE VIEW many AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000) SELECT n FROM numbers;
  CREATE TRIGGER slow AFTER INSERT ON posts WHEN NEW.title LIKE 'lost %500' OR NEW.title LIKE 'lost %000'
    BEGIN SELECT count(*) FROM many; END`;

/** Begins an import, of which some, but not all, posts are in the file. */
async function startImport(
  service: ServiceProcess,
): Promise<{ response: Promise<HttpResponse | undefined> }> {
  await executeOn(databasePath, SLOW_DOWN);
  const lines = Array.from({ length: POSTS }, (_, index) => `{"title":"lost ${index}","body":"lost words"}`);
  const response = service.import(lines.join('\n')).catch(() => undefined);
  await until(async () => (await storedPosts()) > 1_000);
  return { response };
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
    const { response } = await startImport(first);
    expect(await first.stop()).toBe(0);
    expect(await response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
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

  it(`is stored whole or not at all, and loses no other post, at a random time (${ROUNDS} times)`, async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await ServiceProcess.start({ databasePath });
      await first.create(`kept${round}x`);
      // No word is the beginning of another one, which a search would find, too.
      const word = `bulk${round}x`;
      const line = `${JSON.stringify({ title: word, body: 'Some words of an import.' })}\n`;
      const importing = first.import(line.repeat(POSTS)).catch(() => undefined);
      await sleep((MAX_LIFE_MS * (round + Math.random())) / ROUNDS);
      await first.stop('SIGKILL');
      const isAcknowledged = (await importing)?.status === 201;

      const second = await ServiceProcess.start({ databasePath });
      const [listed, found] = [await second.count(`title=${word}`), await second.count(`search=${word}`)];
      expect(isAcknowledged ? [POSTS] : [0, POSTS]).toContain(listed);
      expect(found).toBe(listed);
      for (let kept = 0; kept <= round; kept += 1) {
        expect(await second.count(`title=kept${kept}x`)).toBe(1);
        expect(await second.count(`search=kept${kept}x`)).toBe(1);
      }
      expect(await second.stop()).toBe(0);
      expect(await queryOn(databasePath, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      outcomes.push(`${listed} of ${POSTS}, ${isAcknowledged ? '' : 'not '}acknowledged`);
    }
    process.stdout.write(`killed imports: ${outcomes.join('; ')}\n`);
  });
});
