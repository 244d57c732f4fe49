import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { queryOn } from '../support/sqlite-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROUNDS = Number(process.env['KILLED_IMPORTS'] ?? 5);
const POSTS = 20_000;
/** About the duration of such an import, so that some are killed before, during and after each phase. */
const MAX_LIFE_MS = 1_500;
const ROUND_MS = 20_000;

const tally = { imports: 0, acknowledged: 0, complete: 0, none: 0, created: 0, uncertain: 0 };

let service: ServiceProcess;

/** Titles of posts created one by one during the imports, by id. */
const single = new Map<number, string>();
/** Titles of such posts that were never acknowledged. */
const uncertain = new Set<string>();

async function createOneByOne(round: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const title = `single${round}x${number}`;
    uncertain.add(title);
    const response = await service.send('POST', '/posts/', { json: { title, body: '' } });
    if (response.status !== 201) throw new Error(`${response.status}`);
    uncertain.delete(title);
    single.set(response.json<PostJson>().id, title);
    tally.created += 1;
  }
}

async function count(query: string): Promise<number> {
  const headers = { Prefer: 'count=exact' };
  const response = await service.send('GET', `/posts/?limit=1&fields=id&${query}`, { headers });
  return Number(response.headers['x-total-count']);
}

/** Compares the stored and searchable posts with all acknowledged ones. @returns the differences */
async function account(path: string, imports: readonly { word: string; isAcknowledged: boolean }[]) {
  const faults: string[] = [];
  const [check] = await queryOn<{ integrity_check: string }>(path, 'PRAGMA integrity_check');
  if (check?.integrity_check !== 'ok') faults.push(`integrity: ${check?.integrity_check}`);
  let imported = 0;
  for (const { word, isAcknowledged } of imports) {
    const [listed, found] = [await count(`title=${word}`), await count(`search=${word}`)];
    if (listed !== found) faults.push(`${word}: ${listed} are listed, and ${found} found`);
    if (listed !== POSTS && (listed !== 0 || isAcknowledged)) faults.push(`${word}: ${listed} of ${POSTS}`);
    imported += listed;
  }
  for (const [id, title] of single) {
    const response = await service.send('GET', `/posts/${id}/`);
    if (response.status !== 200 || response.json<PostJson>().title !== title) faults.push(`${title} is lost`);
  }
  const found = [...single.values()].at(-1);
  if (found !== undefined && (await count(`search=${found}`)) !== 1) faults.push(`${found} is not found`);
  const lately = await Promise.all([...uncertain].map((title) => count(`title=${title}`)));
  tally.uncertain += lately.length;
  const all = single.size + lately.reduce((sum, each) => sum + each, 0) + imported;
  if ((await count('')) !== all) faults.push(`there are ${await count('')} posts, not ${all}`);
  return faults;
}

describe('a bulk import that is killed', () => {
  it(
    `is stored completely or not at all, and loses no other post, ${ROUNDS} times`,
    async () => {
      const folder = temporaryFolder();
      const databasePath = join(folder, 'posts.sqlite');
      const faults: string[] = [];
      const imports: { word: string; isAcknowledged: boolean }[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        service = await ServiceProcess.start({ databasePath });
        faults.push(...(await account(databasePath, imports)));
        if (round === ROUNDS) {
          expect(await service.stop()).toBe(0);
          break;
        }
        // No word is the beginning of another one, which a search would find, too.
        const word = `bulk${round}x`;
        const attempt = { word, isAcknowledged: false };
        imports.push(attempt);
        const line = `${JSON.stringify({ title: word, body: 'Some words of an import that may be cut off.' })}\n`;
        const headers = { 'Content-Type': 'application/x-ndjson' };
        const ended = [
          service.send('POST', '/posts/', { headers, body: line.repeat(POSTS) }).then(
            ({ status }) => {
              attempt.isAcknowledged = status === 201;
              if (status !== 201) faults.push(`${word} was answered ${status}`);
            },
            () => undefined,
          ),
          createOneByOne(round).catch(() => undefined),
        ];
        await sleep((MAX_LIFE_MS * (round + Math.random())) / ROUNDS);
        await service.stop('SIGKILL');
        await Promise.all(ended);
      }
      const [{ complete } = { complete: 0 }] = await queryOn<{ complete: number }>(
        databasePath,
        `SELECT count(DISTINCT title) AS complete FROM posts WHERE title LIKE 'bulk%'`,
      );
      tally.imports = imports.length;
      tally.acknowledged = imports.filter(({ isAcknowledged }) => isAcknowledged).length;
      tally.complete = complete;
      tally.none = imports.length - complete;
      process.stdout.write(`killed imports: ${JSON.stringify(tally)}, lost: ${faults.length}\n`);
      expect(faults).toEqual([]);
      expect(tally.created).toBeGreaterThan(0);
    },
    ROUNDS * ROUND_MS + 30_000,
  );
});
