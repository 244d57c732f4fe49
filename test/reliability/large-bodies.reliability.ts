import { Agent, request as openRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { memoryOf } from '../support/process-memory.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The most memory in MiB that docs/operations.md documents for the default settings. */
const DOCUMENTED_MIB = 700;
/** One address may use at most half of the memory budget, so filling it takes several addresses. */
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 2}`);
const BODIES_PER_ADDRESS = 3;
const READERS_PER_ADDRESS = 6;
const MIB = 1_048_576;

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  service = await ServiceProcess.start({ databasePath: join(folder, 'posts.sqlite') });
}, 60_000);
afterAll(async () => {
  await service.stop();
}, 60_000);

// The JSON is some bytes below the limit of 16 MiB. It is a Buffer, because each request would copy a string.
const LARGE = Buffer.from(`{"title":"large","body":"${'lorem ipsum '.repeat(1_398_000)}"}`);

async function postLarge(localAddress: string): Promise<HttpResponse> {
  const agent = new Agent({ localAddress });
  const headers = { 'Content-Type': 'application/json' };
  const response = await service.send('POST', '/posts/', { headers, body: LARGE, agent });
  agent.destroy();
  return response;
}

/** Calls `act` several times for each address, all at the same time. */
function fromEachAddress<Result>(
  times: number,
  act: (address: string) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(
    Array.from({ length: times }, () => ADDRESSES)
      .flat()
      .map(act),
  );
}

/** Sends a GET request and waits for the first bytes of the response, but reads no further. */
async function askAndWait(target: string, localAddress: string): Promise<Socket> {
  const socket = connect({ port: service.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n`);
  await new Promise((done) => {
    socket.once('readable', done).once('close', done);
  });
  return socket;
}

/** Repeats a small request. @returns a function that stops it and resolves with the longest response time in ms */
function watchOthers(): () => Promise<number> {
  const end = new AbortController();
  const longest = (async () => {
    let most = 0;
    while (!end.signal.aborted) {
      const startedAt = performance.now();
      await service.send('GET', '/health/live');
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
  it('stays below the documented bound while many send 16 MiB at once', async () => {
    expect(LARGE.length).toBeGreaterThan(15 * MIB);
    const others = watchOthers();
    const responses = await fromEachAddress(BODIES_PER_ADDRESS, postLarge);
    const statuses = responses.map(({ status }) => status);
    show('large bodies', { ...tally(statuses), longestWaitMs: Math.round(await others()) });
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    for (const response of responses.filter(({ status }) => status === 503)) {
      expect(response.headers['retry-after']).toBe('1');
    }
    expect(memoryOf(service.pid).peak).toBeLessThan(DOCUMENTED_MIB);
  }, 240_000);

  it('stays below the documented bound while many clients request 16 MiB and read nothing', async () => {
    const [large] = (await service.send('GET', '/posts/?limit=1')).json<PostJson[]>();
    for (const target of [`/posts/${large!.id}/`, '/posts/?limit=1000']) {
      const sockets = await fromEachAddress(READERS_PER_ADDRESS, (address) => askAndWait(target, address));
      const statuses = sockets.map((socket) => String(socket.read(12) ?? 'closed').slice(9));
      show(`readers of ${target.replace(/\d+\/$/, '{id}/')}`, tally(statuses));
      for (const socket of sockets) socket.destroy();
      expect(new Set(statuses)).toEqual(new Set(['200', '503']));
    }
    expect(memoryOf(service.pid).peak).toBeLessThan(DOCUMENTED_MIB);
    expect((await service.send('GET', '/health/ready')).status).toBe(200);
  }, 240_000);

  it('is protected from a body that never ends by a 413', async () => {
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
