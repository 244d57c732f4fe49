import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request as openRequest } from 'node:http';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { text as collectText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventListener } from '../support/event-listener.js';
import { type HttpResponse, responseTo } from '../support/http-client.js';
import { aPost, linesToWaitFor, type PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { countOn, executeOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NDJSON = 'application/x-ndjson';
const CURLE_RECV_ERROR = 56;

let databasePath: string;
let service: ServiceProcess;

beforeEach(() => {
  databasePath = join(temporaryFolder(), 'posts.sqlite');
});
afterEach(() => service.stop('SIGKILL'));

function start(environment: Record<string, string> = {}): Promise<ServiceProcess> {
  return ServiceProcess.start({ databasePath, environment });
}

async function storedTitles(): Promise<Set<string>> {
  const { text } = await service.get('/posts/?fields=title', { Accept: NDJSON });
  const lines = text.split('\n').filter(Boolean);
  return new Set(lines.map((line) => (JSON.parse(line) as PostJson).title));
}

/** Sends the head and the first half of the body of a POST; `finish` sends the rest. */
function startPost(body: string, type = 'application/json') {
  const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) };
  const request = openRequest({ port: service.port, method: 'POST', path: '/posts/', headers });
  const response = responseTo(request);
  const half = Math.floor(body.length / 2);
  request.write(body.slice(0, half));
  const finish = (): Promise<HttpResponse> => {
    request.end(body.slice(half));
    return response;
  };
  return { response, finish };
}

function linesOf(posts: readonly unknown[]): string {
  return posts.map((post) => `${JSON.stringify(post)}\n`).join('');
}

/** Waits until this many requests are in flight, besides the one that reads the metrics. */
const untilInFlight = (requests: number): Promise<void> =>
  until(async () => (await service.metric('posts_http_requests_in_flight')) === requests + 1);

/** A connection that was queued while the listener closes is reset; the ones after it are refused. */
const untilNotListening = (): Promise<void> =>
  until(async () => {
    const connection = connect({ port: service.port, host: '127.0.0.1' });
    const code = await once(connection, 'connect').then(
      () => 'connected',
      (error: NodeJS.ErrnoException) => error.code,
    );
    connection.destroy();
    return code === 'ECONNREFUSED';
  });

const untilStopping = () => service.says(/the service stops once/);

/** Slows down each post of an import, so that it is still running when the service ends. */
const SLOW_DOWN = `
  CREATE VIEW many AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 500) SELECT n FROM numbers;
  CREATE TRIGGER slow AFTER INSERT ON posts WHEN NEW.title = 'lost'
    BEGIN SELECT count(*) FROM many; END`;

// power-cut.reliability.ts kills imports.
describe('an import in its transaction', () => {
  it('is refused at the end of SHUTDOWN_TIMEOUT, and leaves nothing', async () => {
    service = await start({ SHUTDOWN_TIMEOUT: '2' });
    await service.create({ title: 'before' });
    await executeOn(databasePath, SLOW_DOWN);
    const response = service.import('{"title":"lost","body":"words"}\n'.repeat(60_000));
    // A write of the start may hold the lock, too.
    await untilInFlight(1);
    const takeLock = () => executeOn(databasePath, 'PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK');
    await until(() =>
      takeLock().then(
        () => false,
        () => true,
      ),
    );
    expect(await service.stop()).toBe(0);
    expect(await response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });

    await executeOn(databasePath, 'DROP TRIGGER slow; DROP VIEW many');
    service = await start();
    expect([await service.count(), await service.count('search=words')]).toEqual([1, 0]);
    expect(await countOn(databasePath)).toBe(1);
    expect((await readdir(dirname(databasePath))).filter((name) => name.startsWith('.import'))).toEqual([]);
  });
});

describe('a signal to stop', () => {
  it('lets requests on open connections finish, takes no new connections, closes idle ones, and exits with 0, as SIGHUP does', async () => {
    service = await start();
    expect((await startPost(linesToWaitFor('stored'), NDJSON).finish()).status).toBe(201);
    const exporting = get({ port: service.port, path: '/posts/', headers: { Accept: NDJSON } });
    const [exported] = (await once(exporting, 'response')) as [IncomingMessage];
    const post = startPost(JSON.stringify(aPost({ title: 'running' })));
    const imported = [aPost({ title: 'first' }), aPost({ title: 'second' })];
    const running = startPost(linesOf(imported), NDJSON);
    await untilInFlight(3);
    const idle = connect(service.port, '127.0.0.1');
    await once(idle, 'connect');
    const [first, second] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    for (const agent of [first, second]) await service.request('GET', '/health/live', { agent });
    // A closed terminal and a supervisor may each send theirs.
    for (const signal of ['SIGHUP', 'SIGTERM'] as const) service.kill(signal);
    await untilStopping();

    await untilNotListening();
    const ready = await service.request('GET', '/health/ready', { agent: first });
    const served = await service.request('GET', '/posts/', { agent: second });
    expect([ready.status, ready.headers['connection']]).toEqual([503, 'close']);
    expect([served.status, served.headers['connection']]).toEqual([200, 'close']);
    const finished = await post.finish();
    expect([finished.status, finished.headers['connection']]).toEqual([201, 'close']);
    expect((await running.finish()).shown).toMatchObject({ status: 201, body: { created: 2 } });
    expect((await collectText(exported)).split('\n')).toHaveLength(linesToWaitFor().split('\n').length);
    expect(await service.exited()).toBe(0);
    idle.destroy();

    service = await start();
    expect(await storedTitles()).toEqual(new Set(['stored', 'running', 'first', 'second']));
  });

  it('serves all requests for SHUTDOWN_DELAY, while it is not ready, and then stops listening', async () => {
    service = await start({ SHUTDOWN_DELAY: '2', SHUTDOWN_TIMEOUT: '60' });
    expect((await startPost(linesToWaitFor('stored'), NDJSON).finish()).status).toBe(201);
    const exporting = get({ port: service.port, path: '/posts/', headers: { Accept: NDJSON } });
    const [exported] = (await once(exporting, 'response')) as [IncomingMessage];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await service.request('GET', '/health/live', { agent });
    const running = startPost(JSON.stringify(aPost({ title: 'running' })));
    await untilInFlight(2);
    const startedAt = performance.now();
    service.kill('SIGTERM');
    await service.says(/requests are served for SHUTDOWN_DELAY/);
    const ready = await service.get('/health/ready');
    expect([ready.status, ready.headers['connection']]).toEqual([503, 'close']);
    expect((await service.get('/health/live')).status).toBe(200);
    // A connection of before, and new ones.
    for (const each of [{ agent }, {}, {}]) {
      const created = await service.request('POST', '/posts/', { json: aPost({ title: 'late' }), ...each });
      expect([created.status, created.headers['connection']]).toEqual([201, 'close']);
    }
    expect((await running.finish()).headers['connection']).toBe('close');
    await untilStopping();
    expect(performance.now() - startedAt).toBeGreaterThan(1_900);
    // The export still runs.
    await untilNotListening();
    await collectText(exported);
    expect(await service.exited()).toBe(0);
  });

  it('ends streams of changes at once, which would not end by themselves', async () => {
    service = await start({ SHUTDOWN_TIMEOUT: '600' });
    const listener = await EventListener.open(service.port);
    service.kill('SIGTERM');
    expect(await service.exited()).toBe(0);
    await until(() => listener.isEnded);
  });

  it('ends SHUTDOWN_DELAY at a second signal, and the process at a third', async () => {
    service = await start({ SHUTDOWN_DELAY: '600', SHUTDOWN_TIMEOUT: '600' });
    expect((await startPost(linesToWaitFor(), NDJSON).finish()).status).toBe(201);
    const exporting = get({ port: service.port, path: '/posts/', headers: { Accept: NDJSON } });
    exporting.on('error', () => undefined);
    const [exported] = (await once(exporting, 'response')) as [IncomingMessage];
    exported.on('error', () => undefined);
    service.kill('SIGTERM');
    await service.says(/SHUTDOWN_DELAY/);
    service.kill('SIGINT');
    expect((await service.get('/posts/?limit=1')).status).toBe(200);
    await sleep(1_100);
    service.kill('SIGTERM');
    await untilStopping();
    await untilNotListening();
    await sleep(1_100);
    service.kill('SIGTERM');
    expect(await service.exited()).toBe(1);
  });

  it('exits with 0 with the shortest SHUTDOWN_TIMEOUT, when nothing runs', async () => {
    service = await start({ SHUTDOWN_TIMEOUT: '1' });
    expect((await service.get('/posts/')).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it.each(['SIGTERM once', 'SIGINT twice'])(
    'resets a response that it cuts, over HTTP/1.0 too: %s',
    async (how) => {
      const [signal, times] = how.split(' ') as [NodeJS.Signals, string];
      service = await start({ SHUTDOWN_TIMEOUT: times === 'twice' ? '60' : '3' });
      expect((await startPost(linesToWaitFor(), NDJSON).finish()).status).toBe(201);
      // Node's own client reports the end of the connection in place of a reset when it has paused.
      const options = ['--http1.0', '--silent', '--limit-rate', '2M', '--header', `Accept: ${NDJSON}`];
      const curl = spawn('curl', [...options, `http://127.0.0.1:${service.port}/posts/`]);
      await once(curl.stdout, 'data');
      curl.stdout.resume();
      const status = once(curl, 'close').then(([code]) => code as number);
      service.kill(signal);
      if (times === 'twice') {
        // Signals within a second of the first one are the same, from when the service has received it.
        await untilStopping();
        await sleep(1_100);
        service.kill(signal);
      }
      expect(await service.exited()).toBe(times === 'twice' ? 1 : 0);
      expect(await status).toBe(CURLE_RECV_ERROR);
    },
  );

  it('refuses a request and an import whose bodies do not end in time, and exits with 0', async () => {
    service = await start({ SHUTDOWN_TIMEOUT: '3' });
    const running = ['application/json', NDJSON].map((type) => startPost(linesOf([aPost(), aPost()]), type));
    await untilInFlight(2);
    service.kill('SIGTERM');
    for (const { response } of running) {
      const { status, headers } = await response;
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    // The service stopped in time: a forced stop exits with 1.
    expect(await service.exited()).toBe(0);

    service = await start();
    expect(await storedTitles()).toEqual(new Set());
  });

  it('aborts no response under load, and keeps acknowledged writes', async () => {
    service = await start();
    const outcomes = new Map<string, string | undefined>();
    const load = new AbortController();
    const clients = Array.from({ length: 16 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!load.signal.aborted) {
        const title = randomUUID();
        // When the service no longer listens, or a connection in its backlog was reset, it counts as a refusal, if nothing
        // was stored. An aborted response does not.
        const outcome = await service.request('POST', '/posts/', { json: aPost({ title }), agent }).then(
          ({ status }) => String(status),
          ({ code, message }: { code?: string; message: string }) => (message === 'aborted' ? message : code),
        );
        outcomes.set(title, outcome);
        if (outcome !== '201') await sleep(5);
      }
      agent.destroy();
    });
    await until(() => outcomes.size > 100);
    expect(await service.stop()).toBe(0);
    load.abort();
    await Promise.all(clients);
    for (const outcome of new Set(outcomes.values()))
      expect(['201', '503', 'ECONNREFUSED', 'ECONNRESET']).toContain(outcome);

    service = await start();
    const acknowledged = [...outcomes].filter(([, outcome]) => outcome === '201').map(([title]) => title);
    expect(await storedTitles()).toEqual(new Set(acknowledged));
  });
});

describe('a signal during the start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends it at once: %s', async (signal) => {
    // A PostgreSQL server that does not respond, for which the start waits.
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    service = ServiceProcess.spawn({ environment: { DATABASE_URL: `postgres://a@127.0.0.1:${port}/a` } });
    const [socket] = (await once(mute, 'connection')) as [Socket];
    expect(await service.stop(signal)).toBeNull();
    expect(service.stdout).toContain(`"msg":"${signal}: the service ends before it has started."`);
    socket.destroy();
    mute.close();
  });
});
