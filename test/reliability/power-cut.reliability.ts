import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { compareHistory } from './history-comparison.js';
import { queryOn } from '../support/sqlite-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROUNDS = Number(process.env['POWER_CUTS'] ?? 5);
const CLIENTS = 12;
/** The longest time until a service is killed. */
const MAX_LIFE_MS = 1_200;
const ROUND_MS = 20_000;

/** The last acknowledged state of a post: its body, or undefined when it is deleted. */
interface Known {
  readonly body: string | undefined;
  /** The number of acknowledged changes, including the creation. */
  readonly version: number;
  /** A change without an acknowledgement. It may have been stored. */
  attempt?: { readonly body: string | undefined };
}

/** A key is the same after a restart on another port only when the links are the same. */
const SAME = { PUBLIC_URL: 'http://posts.test' };

const known = new Map<number, Known>();
const tally = { created: 0, replaced: 0, deleted: 0, uncertain: 0, replayed: 0 };
/** Idempotency keys of creates without an acknowledgement, with their bodies. */
const uncertainCreates = new Map<string, string>();

async function work(service: ServiceProcess, own: number[]): Promise<void> {
  for (;;) {
    const dice = Math.random();
    const id = own[Math.floor(Math.random() * own.length)];
    const body = `${randomUUID()} ${'x'.repeat(Math.floor(Math.random() ** 4 * 50_000))}`;
    if (dice < 0.6 || id === undefined) {
      const key = randomUUID();
      uncertainCreates.set(key, body);
      const response = await service.send('POST', '/posts/', {
        json: { title: 'Power cut', body },
        headers: { 'Idempotency-Key': key },
      });
      uncertainCreates.delete(key);
      if (response.status !== 201) continue;
      const created = response.json<PostJson>().id;
      known.set(created, { body, version: 1 });
      own.push(created);
      tally.created += 1;
    } else {
      const isDelete = dice > 0.85;
      const after = isDelete ? undefined : body;
      const post = known.get(id)!;
      post.attempt = { body: after };
      const response = isDelete
        ? await service.send('DELETE', `/posts/${id}/`)
        : await service.send('PUT', `/posts/${id}/`, { json: { title: 'Power cut', body } });
      if (response.status !== 200 && response.status !== 204) {
        delete post.attempt;
        continue;
      }
      known.set(id, { body: after, version: post.version + 1 });
      if (isDelete) own.splice(own.indexOf(id), 1);
      tally[isDelete ? 'deleted' : 'replaced'] += 1;
    }
  }
}

/** Compares the stored posts with all acknowledged changes. @returns the differences */
async function account(service: ServiceProcess, path: string): Promise<string[]> {
  const faults: string[] = [];
  const [check] = await queryOn<{ integrity_check: string }>(path, 'PRAGMA integrity_check');
  if (check?.integrity_check !== 'ok') faults.push(`integrity: ${check?.integrity_check}`);
  const rows = await queryOn<{ id: number; body: string }>(path, 'SELECT id, body FROM posts');
  const stored = new Map(rows.map(({ id, body }) => [id, body]));
  const { logged, faults: differences } = await compareHistory(path);
  faults.push(...differences);
  for (const [id, { body, attempt, version }] of known) {
    const found = stored.get(id);
    const isAsAcknowledged = found === body;
    const isAsAttempted = attempt !== undefined && found === attempt.body;
    if (!isAsAcknowledged && !isAsAttempted) faults.push(`post ${id} is lost or another`);
    if (attempt) tally.uncertain += 1;
    // Each acknowledged change has exactly one revision.
    const revisions = logged.get(id)?.version ?? 0;
    const isAttemptIn = attempt !== undefined && isAsAttempted;
    if (revisions !== version && !(isAttemptIn && revisions === version + 1)) {
      faults.push(`post ${id} was changed ${version} times and has ${revisions} revisions`);
    }
    known.set(id, { body: found, version: revisions });
    stored.delete(id);
  }
  // The remaining posts were stored but never acknowledged. A retry with the same key must not create a second one.
  for (const [key, body] of uncertainCreates) {
    const sent = { json: { title: 'Power cut', body }, headers: { 'Idempotency-Key': key } };
    const response = await service.send('POST', '/posts/', sent);
    if (response.status !== 201) faults.push(`a retry was answered ${response.status}`);
    const { id } = response.json<PostJson>();
    const isReplayed = response.headers['idempotency-replayed'] === 'true';
    if (isReplayed !== stored.has(id)) faults.push(`the retry of post ${id} made a second one`);
    if (isReplayed) tally.replayed += 1;
    stored.delete(id);
    known.set(id, { body, version: 1 });
  }
  uncertainCreates.clear();
  for (const id of stored.keys()) faults.push(`post ${id} was never requested`);
  return faults;
}

describe('a power cut', () => {
  it(
    `loses no acknowledged write, ${ROUNDS} times`,
    async () => {
      const folder = temporaryFolder();
      const databasePath = join(folder, 'posts.sqlite');
      const faults: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await ServiceProcess.start({
          databasePath,
          environment: { ...SAME, LOG_LEVEL: 'info' },
        });
        faults.push(...(await account(service, databasePath)));
        const ids = [...known].filter(([, { body }]) => body !== undefined).map(([id]) => id);
        const clients = Array.from({ length: CLIENTS }, (_, client) =>
          work(
            service,
            ids.filter((id) => id % CLIENTS === client),
          ).catch(() => undefined),
        );
        await sleep(100 + Math.random() * MAX_LIFE_MS);
        await service.stop('SIGKILL');
        await Promise.all(clients);
      }
      const service = await ServiceProcess.start({ databasePath, environment: SAME });
      faults.push(...(await account(service, databasePath)));
      await service.stop();
      process.stdout.write(`power cuts: ${ROUNDS}, ${JSON.stringify(tally)}, lost: ${faults.length}\n`);
      expect(faults).toEqual([]);
      expect(tally.created).toBeGreaterThan(0);
    },
    ROUNDS * ROUND_MS + 30_000,
  );

  it('during the first migration does not prevent the next start', async () => {
    for (let delayMs = 150; delayMs <= 1_000; delayMs += 170) {
      const folder = temporaryFolder();
      const databasePath = join(folder, 'posts.sqlite');
      const service = ServiceProcess.spawn({ databasePath });
      await sleep(delayMs);
      await service.stop('SIGKILL');
      const next = await ServiceProcess.start({ databasePath, environment: SAME });
      expect(await next.stop()).toBe(0);
    }
  });
});
