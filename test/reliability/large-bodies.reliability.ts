import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request as openRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpResponse, exchange } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { memoryOf } from '../support/process-memory.js';
import { ServiceProcess } from '../support/service-process.js';

/** What docs/operations.md promises: with the default MAX_BODY_BYTES the process takes no more than that, in MiB. */
const DOCUMENTED_MIB = 4_096;
const CLIENTS = 24;
const READERS = 48;
const MIB = 1_048_576;

let folder: string;
let service: ServiceProcess;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-large-'));
  service = await ServiceProcess.start({ databasePath: join(folder, 'posts.sqlite') });
}, 60_000);
afterAll(async () => {
  agent.destroy();
  service.kill('SIGTERM');
  await service.exited();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

// One byte each in UTF-8; the JSON is some bytes short of the limit of 64 MiB.
const LARGE = `{"title":"large","body":"${'lorem ipsum '.repeat(5_592_000)}"}`;

function post(body: string): Promise<HttpResponse> {
  const headers = { 'Content-Type': 'application/json' };
  return exchange(service.port, { method: 'POST', target: '/posts/', headers }, { body }, agent);
}

/** Asks for something and reads nothing of the response but its first bytes. */
async function askAndWait(target: string): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n`);
  await new Promise((done) => {
    socket.once('readable', done).once('close', done);
  });
  return socket;
}

/** Keeps asking for something small. @returns the longest wait for it in ms, once it is told to end */
function watchOthers(): () => Promise<number> {
  const end = new AbortController();
  const longest = (async () => {
    let most = 0;
    while (!end.signal.aborted) {
      const startedAt = performance.now();
      await exchange(service.port, { method: 'GET', target: '/health/live', headers: {} }, {}, agent);
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

function show(what: string, detail: object): void {
  const { now, peak } = memoryOf(service.pid);
  process.stdout.write(
    `${what}: ${JSON.stringify(detail)}, memory ${Math.round(now)} MiB, at the most ${Math.round(peak)} MiB\n`,
  );
}

const tally = (values: readonly (string | number)[]): Record<string, number> =>
  values.reduce<Record<string, number>>((all, each) => ({ ...all, [each]: (all[each] ?? 0) + 1 }), {});

describe('the memory of the service', () => {
  it('stays below what is documented while many send 64 MiB at once', async () => {
    expect(Buffer.byteLength(LARGE)).toBeGreaterThan(63 * MIB);
    const others = watchOthers();
    const responses = await Promise.all(Array.from({ length: CLIENTS }, () => post(LARGE)));
    const statuses = responses.map(({ status }) => status);
    show('large bodies', { ...tally(statuses), longestWaitMs: Math.round(await others()) });
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    for (const response of responses.filter(({ status }) => status === 503)) {
      expect(response.headers['retry-after']).toBe('1');
    }
    expect(memoryOf(service.pid).peak).toBeLessThan(DOCUMENTED_MIB);
  }, 240_000);

  it('stays below it while many ask for 64 MiB and read nothing', async () => {
    const [large] = (
      await exchange(service.port, { method: 'GET', target: '/posts/?limit=1', headers: {} }, {}, agent)
    ).json<PostJson[]>();
    for (const target of [`/posts/${large!.id}/`, '/posts/?limit=1000']) {
      const sockets = await Promise.all(Array.from({ length: READERS }, () => askAndWait(target)));
      const statuses = sockets.map((socket) => String(socket.read(12) ?? 'closed').slice(9));
      show(`readers of ${target.replace(/\d+\/$/, '{id}/')}`, tally(statuses));
      for (const socket of sockets) socket.destroy();
      expect(new Set(statuses)).toEqual(new Set(['200', '503']));
    }
    expect(memoryOf(service.pid).peak).toBeLessThan(DOCUMENTED_MIB);
    const ready = { method: 'GET', target: '/health/ready', headers: {} };
    expect((await exchange(service.port, ready, {}, agent)).status).toBe(200);
  }, 240_000);

  it('does not grow with a body that never ends', async () => {
    const upload = openRequest({
      port: service.port,
      method: 'POST',
      path: '/posts/',
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    const status = new Promise<number>((resolve, reject) => {
      upload.on('response', ({ statusCode }) => resolve(statusCode!)).on('error', reject);
    });
    const answered = new AbortController();
    void status.finally(() => answered.abort());
    const chunk = Buffer.alloc(MIB, ' ');
    for (let sent = 0; sent < 100 && !answered.signal.aborted; sent += 1) {
      if (!upload.write(chunk))
        await Promise.race([new Promise((done) => upload.once('drain', done)), status]);
    }
    expect(await status).toBe(413);
    upload.destroy();
  }, 60_000);
});
