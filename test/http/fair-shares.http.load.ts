import { jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { BodyShare } from '../../src/http/bodies/body-quotas.js';
import { InFlightRequests } from '../../src/http/server/in-flight-requests.js';
import { ApiResponse } from '../../src/http/response/api-response.js';
import { startAdminService } from '../support/admin.js';
import { headOf } from '../support/raw-exchange.js';
import { aPost } from '../support/posts.js';
import { until } from '../support/until.js';

const MIB = 1_048_576;
const NDJSON = 'application/x-ndjson';
const LINE = `${JSON.stringify(aPost())}\n`;

// X-Forwarded-For identifies the client, because the service trusts one proxy. The budget for large bodies is 64 MiB.
const { service, admin } = await startAdminService({ MAX_BODY_BYTES: String(16 * MIB) });

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.untilInFlight(0);
});

/** Begins a request whose body never ends. */
async function beginRequest(client: string, type: string, body: string): Promise<Socket> {
  const before = service.app.get(InFlightRequests).count;
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const fields = [`Content-Type: ${type}`, `Content-Length: ${body.length + 1}`];
  const head = headOf('POST /posts/', `X-Forwarded-For: ${client}`, ...fields);
  await new Promise((written) => {
    socket.write(head + body, written);
  });
  await service.untilInFlight(before + 1);
  return socket;
}

function importFrom(client: string, body: string) {
  return service.import(body, { 'X-Forwarded-For': client });
}

/** Sends a body that is read and then refused, unless there is no room for it. */
async function sendFrom(client: string, bytes: number): Promise<number> {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': client };
  return (await service.request('POST', '/posts/', { headers, body: 'x'.repeat(bytes) })).status;
}

describe('the memory for bodies', () => {
  it('cannot be used up by one client, and always has room for small bodies', async () => {
    const almostAll = `{"title":"large","body":"${'x'.repeat(15 * MIB)}`;
    const held = jest.spyOn(BodyShare.prototype, 'holdChunk');
    await beginRequest('192.0.2.1', 'application/json', almostAll);
    await until(() => held.mock.calls.reduce((sum, [{ length }]) => sum + length, 0) === almostAll.length);
    held.mockRestore();
    expect(await sendFrom('192.0.2.1', 4 * MIB)).toBe(503);
    expect(await sendFrom('192.0.2.1', 60_000)).toBe(400);
    expect(await sendFrom('192.0.2.2', 15 * MIB)).toBe(400);
  });
});

describe('the memory for responses', () => {
  const headers = { 'Accept-Encoding': 'br', 'X-Forwarded-For': '192.0.2.1' };
  /** Pages of up to 4 MiB are no streams. */
  const LARGEST_TOGETHER = `${JSON.stringify(aPost({ title: 'together', body: 'x'.repeat(15_000) }))}\n`;
  const largePost = () => service.create({ body: 'x'.repeat(9 * MIB) });
  /** Requests this without reading the response, and expects that it counts for this client only. */
  const holdUnread = async (path: string): Promise<Socket> => {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    socket.write(headOf(`GET ${path}`, 'X-Forwarded-For: 192.0.2.1'));
    await new Promise((resolve) => socket.once('readable', resolve));
    expect((await service.get(path, headers)).status).toBe(503);
    expect((await service.get(path, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(200);
    return socket;
  };

  it('is limited for each client, and held by one that does not read a large post', async () => {
    // In JSON it is six times as long, more than the buffers of a connection hold.
    const csv = `title,body\nheld,${'\u0001'.repeat(9 * MIB)}\n`;
    const imported = await service.request('POST', '/posts/', {
      headers: { 'Content-Type': 'text/csv' },
      body: csv,
    });
    const path = `/posts/${imported.json<{ first_id: number }>().first_id}/`;
    const socket = await holdUnread(path);
    socket.destroy();
    await service.untilInFlight(0);
    expect((await service.get(path, headers)).status).toBe(200);
  });

  it('is held by one that does not read a page, too', async () => {
    // Posts that are read together, whose JSON is more than the buffers of a connection hold.
    const csv = `title,body\n${`page,${'\u0001'.repeat(15_000)}\n`.repeat(250)}`;
    expect((await service.import(csv, { 'Content-Type': 'text/csv' })).status).toBe(201);
    const path = '/posts/?title=page&limit=250';
    await holdUnread(path);
  });

  it('is not needed for HEAD and 304 of a large post, which write none of it', async () => {
    const { path } = await largePost();
    const stringify = jest.spyOn(JSON, 'stringify');
    const heads = await Promise.all([1, 2, 3].map(() => service.request('HEAD', path, { headers })));
    expect(heads.map(({ status }) => status)).toEqual([200, 200, 200]);
    const unchanged = { ...headers, 'If-None-Match': heads[0]!.etag };
    expect((await service.get(path, unchanged)).status).toBe(304);
    const written = stringify.mock.results.map(({ value }) => (value as string | undefined)?.length ?? 0);
    expect(Math.max(0, ...written)).toBeLessThan(65_536);
    stringify.mockRestore();
  });

  it('stays held by a client that has left until its responses are compressed', async () => {
    const posts = Array.from({ length: 264 }, () => LARGEST_TOGETHER);
    expect((await service.import(posts.join(''))).status).toBe(201);
    const pageOf = (limit: number): string => `/posts/?title=together&limit=${limit}`;
    let end!: (compressed: Buffer) => void;
    const compressed = new Promise<Buffer>((resolve) => (end = resolve));
    const compress = jest.spyOn(ApiResponse.prototype, 'compress');
    const limits = [261, 262, 263, 264];
    for (const limit of limits) {
      compress.mockReturnValueOnce(compressed);
      const socket = connect(service.port, '127.0.0.1');
      sockets.push(socket);
      socket.write(headOf(`GET ${pageOf(limit)}`, 'X-Forwarded-For: 192.0.2.1', 'Accept-Encoding: br'));
    }
    await until(() => compress.mock.calls.length === limits.length);
    for (const socket of sockets) socket.destroy();
    await service.untilInFlight(0);
    expect((await service.get(pageOf(260), headers)).status).toBe(503);
    expect((await service.get(pageOf(260), { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(200);
    end(Buffer.from(''));
    await until(async () => (await service.get(pageOf(260), headers)).status === 200);
    compress.mockRestore();
  });
});

describe('imports', () => {
  it('run concurrently up to the limit of a client, and do not block other clients', async () => {
    const running: Socket[] = [];
    while (running.length < 4) running.push(await beginRequest('2001:db8::1', NDJSON, LINE));
    const refused = await importFrom('2001:db8::2', LINE);
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('1');
    expect((await importFrom('192.0.2.2', LINE)).status).toBe(201);
    running[0]!.destroy();
    await service.untilInFlight(3);
    expect((await importFrom('2001:db8::2', LINE)).status).toBe(201);
  });

  it('leave nothing behind when they are refused before their body is read', async () => {
    const headers = { 'Content-Type': NDJSON, 'X-Forwarded-For': '192.0.2.1' };
    // More than one client may run at once.
    for (let sent = 0; sent < 8; sent += 1) {
      expect((await service.request('POST', '/posts/?x=1', { headers, body: LINE })).status).toBe(400);
    }
    await service.untilInFlight(0);
    expect((await importFrom('192.0.2.1', LINE)).status).toBe(201);
  });

  it('leave nothing behind when their client disconnects while its token is looked up', async () => {
    const fields = [`Authorization: ${admin.headers.Authorization}`, `Content-Type: ${NDJSON}`];
    const head = headOf('POST /posts/', ...fields, `Content-Length: ${LINE.length}`);
    // More than one client may run at once.
    for (let sent = 0; sent < 8; sent += 1) {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      await new Promise((written) => {
        socket.write(head, written);
      });
      socket.resetAndDestroy();
    }
    await until(() => service.log.filter(({ status }) => status === 499).length >= 8);
    expect((await service.import(LINE, admin.headers)).status).toBe(201);
  });

  it('store nothing when the client disconnects right after the last byte', async () => {
    const before = await service.count();
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    const lines = LINE.repeat(10_000);
    const head = headOf('POST /posts/', `Content-Type: ${NDJSON}`, `Content-Length: ${lines.length}`);
    await new Promise((written) => {
      socket.write(head + lines, written);
    });
    socket.destroy();
    await service.untilInFlight(0);
    // The next import waits until the rows of the previous one are removed.
    expect((await importFrom('192.0.2.2', LINE)).status).toBe(201);
    expect(await service.count()).toBe(before + 1);
  });
});
