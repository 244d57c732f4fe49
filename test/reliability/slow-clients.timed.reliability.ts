import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { delaysDuring, MAX_EXTRA_MS, type Probe, startAttackedService } from '../support/attacked-service.js';
import { headOf } from '../support/raw-exchange.js';
import { until } from '../support/until.js';

const POSTS = 30_000;
const CONNECTIONS = 30;
const DURATION_MS = 3_000;
const EXPORTS = 8;
const NDJSON = { Accept: 'application/x-ndjson' };

const services = await startAttackedService(POSTS);
const { attacked } = services;
// More than the socket buffers hold, so that a client that reads nothing blocks a stream.
const line = `${JSON.stringify({ title: 'long', body: 'x'.repeat(30_000) })}\n`;
expect((await attacked.import(line.repeat(700))).status).toBe(201);

const DOWNLOAD = headOf('GET /posts/', 'Accept: application/x-ndjson');

/** Sends the start of a request, and then these bytes every second. @returns the status of the response */
async function statusOf(start: string, bytes: string): Promise<string | undefined> {
  const socket = connect(attacked.port, '127.0.0.1').on('error', () => undefined);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received ||= chunk.toString('latin1')));
  socket.write(start);
  while (!socket.destroyed) {
    socket.write(bytes);
    await sleep(1_000);
  }
  return /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
}

/** The service takes half a minute or more to end them, during the other tests. */
const ended = Promise.all([
  statusOf('GET /posts/ HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'x'),
  statusOf(headOf('POST /posts/', 'Content-Type: application/json', 'Content-Length: 1000000'), ''),
]);

let calls = 0;
/** A date before all posts, different in every call. */
const since = (): string => `pub_date_after=0001-01-01T00:00:00.${String((calls += 1)).padStart(6, '0')}Z`;

describe('a client with 30 connections for slow reads', () => {
  // An address identifies a client.
  const attacker = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, localAddress: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
  afterAll(() => [attacker, agent].forEach((each) => each.destroy()));

  const succeeds =
    (method: string, target: () => string, json?: object): Probe =>
    async (to) =>
      expect((await to.send(method, target(), { json, agent })).status).toBeLessThan(300);
  const PROBES = {
    one: succeeds('GET', () => `/posts/${1 + ((calls += 1) % POSTS)}/`),
    page: succeeds('GET', () => `/posts/?limit=20&offset=${(calls += 1) % 5_000}`),
    create: succeeds('POST', () => '/posts/', { title: 'small', body: '' }),
  };

  it.each<[string, string, Record<string, string>]>([
    ['counts of searches', 'limit=1&search=e', { Prefer: 'count=exact' }],
    ['pages by title of a filter by date', 'limit=1&ordering=title', {}],
    ['exports by title of a filter by date', 'ordering=title', NDJSON],
  ])('does not delay other clients: %s', async (name, query, headers) => {
    const end = performance.now() + DURATION_MS;
    const attack = async (): Promise<void> => {
      while (performance.now() < end) {
        const target = `/posts/?${query}&${since()}`;
        const response = await attacked
          .send('GET', target, { headers, agent: attacker })
          .catch(() => undefined);
        if (response?.status === 503) await sleep(50);
      }
    };
    const delays = await delaysDuring(name, services, PROBES, () =>
      Promise.all(Array.from({ length: CONNECTIONS }, attack)),
    );
    for (const { median } of Object.values(delays)) expect(median).toBeLessThan(MAX_EXTRA_MS);
  });
});

/** Reads an export at 3 kB/s and starts another one every five seconds: a slow reader does not notice its end. */
async function readSlowly(localAddress: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const socket = connect({ port: attacked.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).write(DOWNLOAD);
    socket.pause();
    for (let second = 0; second < 5 && !stop.aborted; second += 1) {
      await sleep(1_000);
      socket.read(3_000);
    }
    socket.destroy();
  }
}

describe('sixteen readers at 3 kB/s', () => {
  it('do not block exports of other clients', async () => {
    const stop = new AbortController();
    const readers = Array.from({ length: 16 }, () => readSlowly('127.0.0.2', stop.signal));
    await sleep(2_000);
    const statuses: number[] = [];
    while (statuses.length < EXPORTS)
      statuses.push((await attacked.send('GET', '/posts/?fields=id', { headers: NDJSON })).status);
    stop.abort();
    await Promise.all(readers);
    // An export that gets no place is refused after six seconds.
    expect(statuses).toEqual(statuses.map(() => 200));
  });
});

describe('a client that is too slow', () => {
  it('is disconnected, in each way of being slow', async () => {
    expect(await ended).toEqual(['408', '408']);
    // Only the request that reads the metrics is in flight.
    await until(async () => (await attacked.metric('http_requests_in_flight')) === 1);
  });
});
