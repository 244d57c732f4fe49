import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { memoryOf } from '../support/process-memory.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The longest extra wait that docs/security.md allows for one body, compared with an idle instance. */
const MAX_WAIT_MS = 500;
const ROUNDS = 3;
/** The most memory in MiB that docs/operations.md documents for the default settings. */
const DOCUMENTED_MIB = 700;
const CLIENTS = 8;
/** The default of MAX_BODY_BYTES. */
const LIMIT = 16_777_216;

let folder: string;
let service: ServiceProcess;
/** An idle instance: its response times show only the load of the machine. */
let control: ServiceProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  service = await ServiceProcess.start({ databasePath: join(folder, 'posts.sqlite') });
  control = await ServiceProcess.start({ databasePath: join(folder, 'control.sqlite') });
}, 60_000);
afterAll(async () => {
  for (const each of [service, control]) each.kill('SIGTERM');
  await Promise.all([service.exited(), control.exited()]);
}, 60_000);

const JSON_TYPE = 'application/json';
const filled = (start: string, unit: string, end: string): string =>
  start + unit.repeat(Math.floor((LIMIT - start.length - end.length) / Buffer.byteLength(unit))) + end;
const bodyOf = (unit: string): string => filled('{"title":"t","body":"', unit, '"}');
const keys = (): string => {
  const each = Array.from({ length: 9_998 }, (_, index) => `"${String(index).padStart(1_670, 'k')}":1`);
  return `{${each.join()}}`;
};
const words = (): string => {
  const each = Array.from({ length: 1_500_000 }, () => Math.random().toString(36).slice(2, 11));
  return `{"title":"t","body":"${each.join(' ')}"}`;
};
const part = (name: string): string => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
const controlCharacters = (): string =>
  filled(`${part('title')}t\r\n${part('body')}`, '\u0001', '\r\n--B--\r\n');

const ROWS: [string, string, () => string, number][] = [
  ['escaped quotes', JSON_TYPE, () => bodyOf('\\"'), 201],
  ['combining marks', JSON_TYPE, () => bodyOf('\u0301'), 201],
  ['one-letter words', JSON_TYPE, () => bodyOf('a '), 201],
  ['random words', JSON_TYPE, words, 201],
  ['white space', JSON_TYPE, () => filled('{"title":"t","body":"b"', ' ', '}'), 201],
  ['long keys', JSON_TYPE, keys, 400],
  ['one long key', JSON_TYPE, () => filled('{"', 'k', '":1}'), 400],
  ['doubled quotes of CSV', 'text/csv', () => filled('title,body\ncsv,"', '""', '"\n'), 201],
  ['control characters', 'multipart/form-data; boundary=B', controlCharacters, 201],
];

async function post(type: string, body: Buffer, from: { agent?: Agent } = {}): Promise<number> {
  const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' };
  return (await service.send('POST', '/posts/', { headers, body, ...from })).status;
}

type Probe = (to: ServiceProcess) => Promise<unknown>;
const READ: Probe = (to) => to.send('GET', '/posts/?limit=1&fields=id');
const WRITE: Probe = (to) => to.send('POST', '/posts/', { json: { title: 'small', body: '' } });

/** Repeats a small request. @returns a function that stops it and resolves with the longest response time in ms */
function watch(to: ServiceProcess, probe: Probe): () => Promise<number> {
  const end = new AbortController();
  const longest = (async () => {
    let most = 0;
    while (!end.signal.aborted) {
      const startedAt = performance.now();
      await probe(to);
      most = Math.max(most, performance.now() - startedAt);
      await sleep(20);
    }
    return most;
  })();
  return () => {
    end.abort();
    return longest;
  };
}

/** The longest response times in ms: of reads and writes during the work, and of reads on the idle instance. */
interface Waits {
  readonly read: number;
  readonly write: number;
  readonly controlRead: number;
}

async function longestWaitsDuring(work: () => Promise<unknown>): Promise<Waits> {
  const ends = [watch(service, READ), watch(service, WRITE), watch(control, READ)];
  await work();
  const [read, write, controlRead] = await Promise.all(ends.map((end) => end()));
  return { read: read!, write: write!, controlRead: controlRead! };
}

function show(what: string, { read, write, controlRead }: Waits): void {
  const { peak } = memoryOf(service.pid);
  process.stdout.write(
    `${what}: a read waited ${Math.round(read)} ms, a write ${Math.round(write)} ms, a read of the control ` +
      `${Math.round(controlRead)} ms, memory at the most ${Math.round(peak)} MiB\n`,
  );
}

/** Repeats work that looks too slow. A service that blocks others is slow every time; noise of the machine is not. */
async function expectShortWaitsDuring(what: string, work: () => Promise<unknown>): Promise<void> {
  let extraMs = Infinity;
  for (let round = 0; round < ROUNDS && extraMs >= MAX_WAIT_MS; round += 1) {
    const waits = await longestWaitsDuring(work);
    show(what, waits);
    extraMs = waits.read - waits.controlRead;
  }
  expect(extraMs).toBeLessThan(MAX_WAIT_MS);
}

describe('one body of the largest size', () => {
  it.each(ROWS)(
    'delays no other client, with %s',
    async (what, type, make, status) => {
      const body = gzipSync(make(), { level: 1 });
      await expectShortWaitsDuring(what, async () => expect(await post(type, body)).toBe(status));
    },
    180_000,
  );

  it('delays no other client when it is read as a feed', async () => {
    // The title excludes the small posts that WRITE created.
    const target = '/posts/?title=t&limit=1';
    await expectShortWaitsDuring('a feed of control characters', async () => {
      const { status, bytes } = await service.send('GET', target, {
        headers: { Accept: 'application/atom+xml' },
      });
      expect(status).toBe(200);
      expect(bytes.length).toBeGreaterThan(LIMIT);
    });
  }, 180_000);
});

describe('eight of the largest bodies at once', () => {
  it.each(ROWS)(
    'stay within the documented memory, with %s',
    async (what, type, make, status) => {
      const body = gzipSync(make(), { level: 1 });
      const statuses: number[] = [];
      // Eight addresses, because one address may use only a share of the memory.
      const addresses = Array.from({ length: CLIENTS }, (_, index) => `127.0.0.${index + 2}`);
      const clients = addresses.map((localAddress) => new Agent({ localAddress }));
      const waits = await longestWaitsDuring(async () => {
        statuses.push(...(await Promise.all(clients.map((client) => post(type, body, { agent: client })))));
      });
      for (const client of clients) client.destroy();
      show(`${CLIENTS} × ${what}`, waits);
      expect(statuses).toContain(status);
      expect(statuses.every((each) => each === status || each === 503)).toBe(true);
      expect(memoryOf(service.pid).peak).toBeLessThan(DOCUMENTED_MIB);
    },
    240_000,
  );
});
