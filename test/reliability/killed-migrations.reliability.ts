import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writerOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/open-database.js';
import { SqliteDataSource } from '../../src/database/sqlite/sqlite-data-source.js';
import { ServiceProcess } from '../support/service-process.js';
import { executeOn, queryOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROUNDS = Number(process.env['KILLED_MIGRATIONS'] ?? 5);
const POSTS = 40_000;
/** From before the first statement until the search index is rebuilt in the background. */
const MAX_LIFE_MS = 4_000;

/** A database in the schema of the service's first version, with posts. */
async function makeOldDatabase(path: string): Promise<void> {
  const options = writerOptions({ kind: 'sqlite', path });
  const [first] = options.migrations as unknown[];
  const dataSource = new SqliteDataSource({ ...options, migrations: [first] } as typeof options);
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await executeOn(
    path,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${POSTS})
     INSERT INTO posts (title, pub_date, body, version)
     SELECT 'old' || n, '2026-11-20T14:40:00.000000', 'Some words that were there before.', 1 FROM numbers`,
  );
}

describe('a migration that is killed', () => {
  it(
    `is completed by the next start without losing a post, ${ROUNDS} times`,
    async () => {
      const folder = temporaryFolder();
      const old = join(folder, 'old.sqlite');
      const tally = { killed: 0, lost: 0 };
      await makeOldDatabase(old);
      for (let round = 0; round < ROUNDS; round += 1) {
        const databasePath = join(folder, `${round}.sqlite`);
        await copyFile(old, databasePath);
        // The second process is killed while it completes the migration of the first.
        for (const part of [round, (round * 7) % ROUNDS]) {
          const killed = ServiceProcess.spawn({ databasePath });
          await sleep((MAX_LIFE_MS * (part + Math.random())) / ROUNDS);
          await killed.stop('SIGKILL');
          tally.killed += 1;
        }
        const service = await ServiceProcess.start({ databasePath });
        // The search index may still be under construction.
        await until(async () => (await service.count('search=before')) === POSTS);
        const all = await service.count();
        const last = await service.count(`search=old${POSTS}&id=${POSTS}`);
        expect([await service.stop(), all, last]).toEqual([0, POSTS, 1]);
        const [state] = await queryOn<Record<string, unknown>>(
          databasePath,
          `SELECT (SELECT count(*) FROM posts) AS posts, (SELECT count(DISTINCT name) = count(*) FROM migrations) AS once,
             (SELECT integrity_check FROM pragma_integrity_check) AS integrity`,
        );
        expect(state).toEqual({ posts: POSTS, once: 1, integrity: 'ok' });
      }
      process.stdout.write(`killed migrations: ${JSON.stringify(tally)}\n`);
    },
    ROUNDS * 60_000,
  );
});
