import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const IS_LONG = process.env['LONG'] !== undefined;
/** Longer than every time limit. All clients run at the same time. */
const WAIT_MS = 290_000;
const EXPORTS = 25;

let folder: string;
let service: ServiceProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  service = await ServiceProcess.start({ databasePath: join(folder, 'posts.sqlite') });
  // More than the socket buffers hold, so that a client that reads nothing blocks the stream.
  const line = `${JSON.stringify({ title: 'long', body: 'x'.repeat(15_000) })}\n`;
  expect((await service.import(line.repeat(2_000))).status).toBe(201);
});
afterAll(async () => {
  await service.stop();
});

interface Ended {
  /** The status of the response, if any. */
  readonly status: string | undefined;
  readonly afterSeconds: number;
}

/** Sends `start` and waits until the connection is closed. @param drive continues to use the connection until then */
async function watch(start: string, drive: (socket: Socket) => Promise<void>, reads = true): Promise<Ended> {
  const socket = connect(service.port, '127.0.0.1');
  const startedAt = performance.now();
  let received = '';
  if (reads) socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')).length);
  const closed = new Promise<void>((done) => {
    socket.on('error', () => undefined).on('close', () => done());
  });
  socket.write(start);
  void drive(socket);
  // A socket that is not read does not emit `close`, so the wait has a limit.
  await Promise.race([closed, sleep(WAIT_MS, undefined, { ref: false })]);
  const status = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
  return { status, afterSeconds: Math.round((performance.now() - startedAt) / 1_000) };
}

const head = (line: string, ...fields: string[]): string =>
  [line, 'Host: 127.0.0.1', ...fields, '', ''].join('\r\n');
const UPLOAD = head('POST /posts/ HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 1000000');
const IMPORT = head('POST /posts/ HTTP/1.1', 'Content-Type: application/x-ndjson', 'Content-Length: 1000');
const DOWNLOAD = head('GET /posts/ HTTP/1.1', 'Accept: application/x-ndjson');

async function every(socket: Socket, ms: number, act: () => void): Promise<void> {
  while (!socket.destroyed) {
    await sleep(ms);
    if (!socket.destroyed) act();
  }
}

/** The number of open files. Each connection is one; a SQLite stream also opens its own database connection. */
const openFiles = (): Promise<number> => service.metric('process_open_fds');

interface SlowClient {
  readonly start: string;
  readonly drive: (socket: Socket) => Promise<void>;
  readonly reads?: boolean;
  readonly status: string | undefined;
  readonly maxSeconds: number;
}

const SLOW_CLIENTS: Readonly<Record<string, SlowClient>> = {
  'a header that does not end': {
    start: 'GET /posts/ HTTP/1.1\r\nHost: a\r\nX-Slow: ',
    drive: (socket) => every(socket, 1_000, () => socket.write('x')),
    status: '408',
    maxSeconds: 30,
  },
  'a body that does not come': {
    start: UPLOAD,
    drive: () => Promise.resolve(),
    status: '408',
    maxSeconds: 40,
  },
  'an import of one byte in five seconds': {
    start: IMPORT,
    drive: (socket) => every(socket, 5_000, () => socket.write(' ')),
    status: '408',
    maxSeconds: 90,
  },
};

/** Clients that the service ends only after more than a minute. */
const SLOWER_CLIENTS: Readonly<Record<string, SlowClient>> = {
  'a body of 400 bytes a second': {
    start: UPLOAD,
    drive: (socket) => every(socket, 1_000, () => socket.write('x'.repeat(400))),
    status: '408',
    maxSeconds: 130,
  },
  'a stream of which nothing is taken': {
    start: DOWNLOAD,
    drive: async (socket) => {
      socket.pause();
      // Only a client that reads notices that the other side has closed the connection.
      await sleep(255_000);
      socket.resume();
    },
    reads: false,
    status: undefined,
    maxSeconds: 280,
  },
};

describe('a client that is too slow', () => {
  it('is disconnected, in each way of being slow, while other clients are served', async () => {
    const clients = Object.entries({ ...SLOW_CLIENTS, ...(IS_LONG && SLOWER_CLIENTS) });
    const before = await openFiles();
    const ending = clients.map(
      async ([name, { start, drive, reads }]) => [name, await watch(start, drive, reads)] as const,
    );
    for (let second = 0; second < 10; second += 1) {
      const response = await service.send('GET', '/posts/1/');
      expect(response.status).toBe(200);
      await sleep(100);
    }
    expect(await openFiles()).toBeGreaterThan(before);
    const ended = await Promise.all(ending);
    process.stdout.write(`slow clients: ${JSON.stringify(Object.fromEntries(ended))}\n`);
    expect(ended.map(([name, { status }]) => [name, status])).toEqual(
      clients.map(([name, { status }]) => [name, status]),
    );
    const tooLate = ended.filter(
      ([, { afterSeconds }], index) => afterSeconds >= clients[index]![1].maxSeconds,
    );
    expect(tooLate).toEqual([]);
    // The connections are closed and their resources released.
    await until(async () => (await openFiles()) <= before + 1);
  }, 360_000);
});

/**
 * Reads an export at 3 kB/s and starts another one every five seconds, because a slow reader does not notice that its
 * export was ended.
 */
async function readSlowly(localAddress: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const socket = connect({ port: service.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).write(DOWNLOAD);
    socket.pause();
    for (let second = 0; second < 5 && !stop.aborted; second += 1) {
      await sleep(1_000);
      socket.read(3_000);
    }
    socket.destroy();
  }
}

async function exportStatus(): Promise<number> {
  const headers = { Accept: 'application/x-ndjson' };
  return (await service.send('GET', '/posts/?fields=id', { headers })).status;
}

describe('sixteen readers at 3 kB/s', () => {
  it.each([
    ['one address', (): string => '127.0.0.2'],
    ['sixteen addresses', (index: number): string => `127.0.2.${index + 1}`],
  ])('do not block exports of other clients: from %s', async (name, addressOf) => {
    const stop = new AbortController();
    const readers = Array.from({ length: 16 }, (_, index) => readSlowly(addressOf(index), stop.signal));
    await sleep(2_000);
    const statuses: number[] = [];
    const times: number[] = [];
    for (let count = 0; count < EXPORTS; count += 1) {
      const startedAt = performance.now();
      statuses.push(await exportStatus());
      times.push(Math.round(performance.now() - startedAt));
      await sleep(200);
    }
    stop.abort();
    await Promise.all(readers);
    process.stdout.write(`slow readers, ${name}: export ms ${Math.max(...times)} at most\n`);
    expect(statuses).toEqual(statuses.map(() => 200));
    expect(Math.max(...times)).toBeLessThan(10_000);
  });
});
