import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { PostJson } from '../support/posts.js';
import { type Memory, ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { randomShares } from '../support/properties.js';

const random = randomShares();

/** A minute of work shows a leak in common requests. SOAK_ROUNDS=450 shows one in rare requests. */
const ROUNDS = Number(process.env['SOAK_ROUNDS'] ?? 9);
const REQUESTS_OF_A_ROUND = 400;
const CLIENTS = 16;
/** The maximum number of posts, so that the database does not grow. */
const MAX_POSTS = 2_000;
/**
 * The limit, in MiB, for the growth of V8's heap and Buffers from the second to the last third of the rounds,
 * regardless of their number. Single rounds are up to 4 MiB above the others.
 */
const MAX_HEAP_GROWTH_MIB = 4;
/** The same limit, as a share, for all memory, including SQLite's and the allocator's. The value varies by a tenth. */
const MAX_RESIDENT_GROWTH = 0.25;
const ROUND_TIMEOUT_MS = 60_000;

const faults: string[] = [];
const ids: number[] = [];
/** The service refuses more imports of one client with 503. */
const importing = pLimit(4);

const WORDS = ['heron', 'mill', 'river', 'walk', 'Brücke', '橋', 'evening', 'rain'];
const someWords = (count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
const someIndex = (): number => Math.floor(random() * ids.length);
const someId = (): number => ids[someIndex()] ?? 1;

type Send = ServiceProcess['request'];

const somePost = () => ({
  title: someWords(4),
  body: someWords(10 + Math.floor(random() ** 6 * 20_000)),
});

const typed = (type: string) => ({ 'Content-Type': type });

async function create(send: Send, headers = {}): Promise<void> {
  ids.push((await send('POST', '/posts/', { json: somePost(), headers })).json<PostJson>().id);
}

async function replaceIfUnchanged(send: Send): Promise<void> {
  const target = `/posts/${someId()}/`;
  const { etag } = await send('GET', target);
  await send('PUT', target, { json: somePost(), headers: etag ? { 'If-Match': etag } : {} });
}

async function importPosts(send: Send): Promise<void> {
  const body = Array.from({ length: 100 }, () => JSON.stringify(somePost())).join('\n');
  const response = await send('POST', '/posts/', { headers: typed('application/x-ndjson'), body });
  const { first_id: first, created } = response.json<{ first_id: number; created: number }>();
  for (let index = 0; index < created; index += 1) ids.push(first + index);
}

/** The operations of the clients, each with its relative frequency. */
const WORK: readonly (readonly [number, (send: Send) => Promise<unknown>])[] = [
  [40, (send) => create(send)],
  [10, (send) => create(send, { 'Idempotency-Key': randomUUID() })],
  [80, (send) => send('GET', `/posts/${someId()}/`)],
  [20, (send) => send('GET', `/posts/?limit=20&ordering=${random() < 0.5 ? '-id' : 'title'}`)],
  [10, (send) => send('GET', '/posts/?limit=100', { headers: { 'Accept-Encoding': 'br' } })],
  [10, (send) => send('GET', `/posts/?search=${encodeURIComponent(someWords(2))}&limit=10`)],
  [16, replaceIfUnchanged],
  [10, (send) => send('POST', '/posts/', { headers: typed('application/json'), body: '{"title": [[[[' })],
  [4, (send) => send('GET', `/${randomUUID()}/`, { headers: { 'X-Request-Id': randomUUID() } })],
  [2, (send) => send('GET', '/posts/', { headers: { Accept: 'text/csv' } })],
  [1, (send) => importing(() => importPosts(send))],
];
const OFTEN = WORK.flatMap(([frequency, work]) => Array.from({ length: frequency }, () => work));

/** All clients together run one round of work. */
async function doRound(service: ServiceProcess): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const send: Send = async (method, target, options) => {
    const response = await service.request(method, target, { ...options, agent });
    // On a busy machine, a page of large posts may get no place within six seconds.
    if (response.status >= 500 && !response.text.includes('Too many slow or large requests'))
      faults.push(`${method} ${target}: ${response.status} ${response.text}`);
    return response;
  };
  let left = REQUESTS_OF_A_ROUND;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (ids.length > MAX_POSTS) await send('DELETE', `/posts/${ids.splice(someIndex(), 1)[0]}/`);
      else await OFTEN[Math.floor(random() * OFTEN.length)]!(send);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  // The first read after a write drops the cached responses. Connections hold their last request, so they are closed.
  await create(send);
  await send('GET', '/posts/?limit=1');
  agent.destroy();
}

/** The medians of the second and the last third of the rounds. */
function medians(curve: readonly Memory[], kind: keyof Memory): { middle: number; end: number } {
  const third = Math.floor(curve.length / 3);
  const median = (rounds: readonly Memory[]): number =>
    rounds.map((memory) => memory[kind]).toSorted((a, b) => a - b)[Math.floor(rounds.length / 2)]!;
  return { middle: median(curve.slice(third, -third)), end: median(curve.slice(-third)) };
}

describe('a mixed load', () => {
  it(
    `does not use more memory at the end of ${ROUNDS} rounds than in the middle`,
    async () => {
      const databasePath = join(temporaryFolder(), 'posts.sqlite');
      const service = await ServiceProcess.start({ databasePath, isMeasured: true });
      const curve: Memory[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await doRound(service);
        curve.push(await service.memoryLeft());
      }
      await service.stop();
      process.stdout.write(`soak: MiB after each round: ${JSON.stringify(curve)}\n`);
      const [heap, resident] = [medians(curve, 'heap'), medians(curve, 'resident')];
      expect(faults).toEqual([]);
      expect(heap.end).toBeLessThan(heap.middle + MAX_HEAP_GROWTH_MIB);
      expect(resident.end).toBeLessThan(resident.middle * (1 + MAX_RESIDENT_GROWTH));
    },
    ROUNDS * ROUND_TIMEOUT_MS,
  );
});
