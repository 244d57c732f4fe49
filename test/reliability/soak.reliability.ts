import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, exchange } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { memoryOf } from '../support/process-memory.js';
import { ServiceProcess } from '../support/service-process.js';

/** A minute is enough to see a leak of a request; SOAK_SECONDS=3600 is enough to see one of a rare request. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60);
const SAMPLES = 24;
const CLIENTS = 16;
/** As many posts as there are at the most, so that what grows is not the database. */
const MAX_POSTS = 3_000;
/** What the last third may take more than the second one, in all, however long they are. */
const MAX_GROWTH = 0.1;

const tally: Record<string, number> = {};
const ids: number[] = [];

const WORDS = ['heron', 'mill', 'river', 'walk', 'Brücke', '橋', 'evening', 'rain'];
const someWords = (count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ');
const someId = (): number => ids[Math.floor(Math.random() * ids.length)] ?? 1;

type Send = (
  method: string,
  target: string,
  headers?: Record<string, string>,
  body?: string,
) => Promise<Answer>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const aPost = (): string =>
  JSON.stringify({ title: someWords(4), body: someWords(10 + Math.floor(Math.random() ** 6 * 20_000)) });

/** What clients do, each with how often it is done among the others. */
const WORK: readonly (readonly [number, string, (send: Send) => Promise<Answer | void>])[] = [
  [20, 'create', async (send) => remember(await send('POST', '/posts/', JSON_TYPE, aPost()))],
  [
    5,
    'create by key',
    async (send) =>
      remember(await send('POST', '/posts/', { ...JSON_TYPE, 'Idempotency-Key': randomUUID() }, aPost())),
  ],
  [40, 'read', (send) => send('GET', `/posts/${someId()}/`)],
  [10, 'list', (send) => send('GET', `/posts/?limit=20&ordering=${Math.random() < 0.5 ? '-id' : 'title'}`)],
  [5, 'compressed list', (send) => send('GET', '/posts/?limit=100', { 'Accept-Encoding': 'br' })],
  [5, 'search', (send) => send('GET', `/posts/?search=${encodeURIComponent(someWords(2))}&limit=10`)],
  [
    8,
    'replace if unchanged',
    async (send) => {
      const target = `/posts/${someId()}/`;
      const { etag } = await send('GET', target);
      return send('PUT', target, { ...JSON_TYPE, ...(etag && { 'If-Match': etag }) }, aPost());
    },
  ],
  [5, 'bad request', (send) => send('POST', '/posts/', JSON_TYPE, `{"title": ${'['.repeat(500)}`)],
  [2, 'nothing there', (send) => send('GET', `/${randomUUID()}/`, { 'X-Request-Id': randomUUID() })],
  [1, 'stream', (send) => send('GET', '/posts/', { Accept: 'text/csv' })],
  [
    0.5,
    'import',
    async (send) => {
      const lines = Array.from({ length: 200 }, aPost).join('\n');
      const answer = await send('POST', '/posts/', { 'Content-Type': 'application/x-ndjson' }, lines);
      const { first_id: first, created } = answer.json<{ first_id: number; created: number }>();
      for (let index = 0; index < created; index += 1) ids.push(first + index);
      return answer;
    },
  ],
];

function remember(answer: Answer): Answer {
  if (answer.status === 201) ids.push(answer.json<PostJson>().id);
  return answer;
}

function someWork(): (typeof WORK)[number] {
  let dice = Math.random() * WORK.reduce((sum, [weight]) => sum + weight, 0);
  return WORK.find(([weight]) => (dice -= weight) < 0) ?? WORK[0]!;
}

async function workUntil(deadline: number, port: number, agent: Agent, faults: string[]): Promise<void> {
  const send: Send = (method, target, headers = {}, body) =>
    exchange(port, { method, target, headers }, { body }, agent);
  while (Date.now() < deadline) {
    const isFull = ids.length > MAX_POSTS;
    const [, name, work] = isFull ? [0, 'delete', remove] : someWork();
    const answer = await work(send);
    tally[name] = (tally[name] ?? 0) + 1;
    if (answer && answer.status >= 500) faults.push(`${name}: ${answer.status} ${answer.text}`);
  }
}

const remove = (send: Send): Promise<Answer> =>
  send('DELETE', `/posts/${ids.splice(Math.floor(Math.random() * ids.length), 1)[0]}/`);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

describe('a mixed load', () => {
  it(
    `takes no more memory at the end of ${SECONDS} s than in their middle`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'posts-soak-'));
      const service = await ServiceProcess.start({
        databasePath: join(folder, 'posts.sqlite'),
        environment: { LOG_LEVEL: 'info' },
      });
      const agent = new Agent({ keepAlive: true });
      const faults: string[] = [];
      const curve: number[] = [];
      try {
        const deadline = Date.now() + SECONDS * 1_000;
        const clients = Array.from({ length: CLIENTS }, () =>
          workUntil(deadline, service.port, agent, faults),
        );
        for (let sample = 0; sample < SAMPLES; sample += 1) {
          await sleep((SECONDS * 1_000) / SAMPLES);
          curve.push(Math.round(memoryOf(service.pid).now));
          // What it has logged is not the service's to keep, nor ours.
          service.stdout = '';
        }
        await Promise.all(clients);
      } finally {
        agent.destroy();
        service.kill('SIGTERM');
        await service.exited();
        await rm(folder, { recursive: true, force: true });
      }
      const third = SAMPLES / 3;
      const [middle, end] = [median(curve.slice(third, 2 * third)), median(curve.slice(2 * third))];
      process.stdout.write(
        `soak: ${SECONDS} s, ${JSON.stringify(tally)}\nmemory in MiB: ${curve.join(' ')}; ` +
          `second third ${middle}, last third ${end}\n`,
      );
      expect(faults).toEqual([]);
      expect(end).toBeLessThan(middle * (1 + MAX_GROWTH));
    },
    (SECONDS + 60) * 1_000,
  );
});
