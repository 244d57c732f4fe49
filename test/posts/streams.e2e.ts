import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { DatabaseFault } from '../../src/database/database-fault.js';
import { Database } from '../../src/database/database.js';
import { headOf } from '../support/raw-exchange.js';
import { untilReadingStops, watchSnapshots } from '../support/snapshots.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService();

const CURLE_RECV_ERROR = 56;
const POSTS = 400;
const LIST = '/posts/?title=a';
const BODY = 'x'.repeat(15_000);
await service.import(`${JSON.stringify({ title: 'a', body: BODY })}\n`.repeat(POSTS));

/** Opens a stream without reading its body. @param localAddress identifies the client */
function openStream(localAddress = '127.0.0.1', path = LIST): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'application/x-ndjson' };
    openRequest({ port: service.port, path, headers, localAddress, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

/** Opens a connection, requests streams on it, and reads nothing. */
function openSocket(coding = 'identity', times = 1): Socket {
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).pause();
  const request = headOf(`GET ${LIST}`, 'Accept: application/x-ndjson', `Accept-Encoding: ${coding}`);
  socket.write(request.repeat(times));
  return socket;
}

afterEach(() => jest.restoreAllMocks());

describe('a stream of posts', () => {
  it('shows one snapshot, without posts created while it runs', async () => {
    const stream = await openStream();
    const { path } = await service.create({ title: 'a', body: 'too late' });
    const lines = (await text(stream)).split('\n').slice(0, -1);
    expect(lines).toHaveLength(POSTS);
    await service.delete(path);
  });

  it('aborts the connection on a database error, or answers 500 before its first byte', async () => {
    const seen = watchSnapshots(service);
    let failing = 3;
    seen.fateOf = (query) => (query >= failing ? 'failed' : 'answered');
    const stream = await openStream();
    expect(stream.statusCode).toBe(200);
    await expect(text(stream)).rejects.toThrow('aborted');
    await until(() => seen.open === 0 && service.log.some(({ level }) => level === 'error'));
    failing = 2;
    seen.queries = 0;
    const response = await service.get(LIST, { Accept: 'text/csv' });
    expect([response.status, seen.open]).toEqual([500, 0]);
  });

  it('resets the connection where only its end shows the end of the body, as with HTTP/1.0', async () => {
    const seen = watchSnapshots(service, (query) => (query >= 3 ? 'failed' : 'answered'));
    // Node's own client may report the end of the connection in place of the reset.
    const options = ['--http1.0', '--silent', '--header', 'Accept: application/x-ndjson'];
    const curl = spawn('curl', [...options, `${service.origin}${LIST}`]);
    curl.stdout.resume();
    expect((await once(curl, 'close'))[0]).toBe(CURLE_RECV_ERROR);
    await until(() => seen.open === 0);
  });

  it.each([1, 2, 3])(
    'cancels its query number %s when the client disconnects while it runs',
    async (slowAt) => {
      const seen = watchSnapshots(service);
      seen.fateOf = (query) => (query === slowAt ? 'slow' : 'answered');
      const errors = service.log.filter(({ level }) => level === 'error').length;
      const socket = openSocket();
      await until(() => seen.queries === slowAt);
      socket.destroy();
      await until(() => seen.open === 0);
      expect(service.log.filter(({ level }) => level === 'error')).toHaveLength(errors);
      // The cancellation must not affect the next user of the connection.
      for (let count = 0; count < 5; count += 1)
        expect((await service.get('/posts/?limit=1')).status).toBe(200);
    },
  );

  it.each<[string, (socket: Socket) => void, string, number]>([
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'identity', 1],
    ['closes its side of the connection', (socket) => socket.end(), 'identity', 1],
    ['disconnects from a compressed stream', (socket) => socket.destroy(), 'br', 1],
    ['closes its side with a second stream waiting', (socket) => socket.end(), 'identity', 2],
  ])('closes its snapshot when a client that has stopped reading %s', async (_, leave, coding, times) => {
    const seen = watchSnapshots(service);
    const socket = openSocket(coding, times);
    await until(() => seen.queries > 2 && seen.open === 1);
    // A compressed stream fits the socket buffers: it would end.
    if (coding === 'identity') await untilReadingStops(seen);
    leave(socket);
    await until(() => seen.open === 0);
    expect(seen.open).toBe(0);
    socket.destroy();
  });

  it('is refused with 503 while the database has no free snapshot, and accepted afterwards', async () => {
    jest.spyOn(service.app.get(Database), 'snapshot').mockRejectedValue(new DatabaseFault('busy'));
    const response = await service.get('/posts/', { Accept: 'text/csv' });
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    jest.restoreAllMocks();
    expect((await service.get('/posts/?fields=id', { Accept: 'text/csv' })).status).toBe(200);
  });

  it('stops reading from the database while its client does not read', async () => {
    // Far more than the socket buffers hold, in posts that the service reads one by one.
    const large = JSON.stringify({ title: 'large', body: 'x'.repeat(400_000) });
    await service.import(`${large}\n`.repeat(35));
    const seen = watchSnapshots(service);
    const stream = await openStream('127.0.0.1', '/posts/?title=large');
    // A stream without backpressure would run to its end here.
    await untilReadingStops(seen);
    const before = seen.queries;
    stream.resume();
    await until(() => seen.open === 0);
    expect(seen.queries).toBeGreaterThan(before);
  });
});
