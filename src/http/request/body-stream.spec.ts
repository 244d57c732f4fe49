import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { InvalidRequest, RequestTimedOut, ServiceStopping } from '../../problem-details/problems.js';
import { EntryList } from '../pipeline/entry-list.js';
import { FairShares } from '../pipeline/fair-shares.js';
import type { StopReading } from '../pipeline/in-flight-requests.js';
import { streamBody } from './body-bytes.js';
import { ClientGone } from './body-reading.js';
import type { RequestCoding } from './inflation.js';

const MIB = 1_048_576;
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const CODINGS: { codings: RequestCoding[] }[] = [
  { codings: [] },
  { codings: ['gzip'] },
  { codings: ['deflate', 'gzip'] },
];

interface Reading {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: AsyncGenerator<Buffer>;
  readonly stop: EntryList<StopReading>;
}

describe('streamBody', () => {
  const shares = new FairShares({ total: 1, perClient: 1 });
  let server: Server;
  let client: Socket;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  /** Starts to read a body that arrives whole. */
  async function readWhole(
    codings: readonly RequestCoding[],
    bytes: Buffer,
    idleTimeoutMs = 60_000,
  ): Promise<Reading> {
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    client.write(bytes);
    return reading(codings, idleTimeoutMs);
  }

  /** Starts to read a body of which only the first bytes arrive. */
  async function read(codings: readonly RequestCoding[], idleTimeoutMs = 60_000): Promise<Reading> {
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    const bytes = codings.length === 0 ? Buffer.from('hello') : gzipSync('hello').subarray(0, 12);
    client.write(
      Buffer.concat([Buffer.from(`${HEAD}${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
    );
    return reading(codings, idleTimeoutMs);
  }

  async function reading(codings: readonly RequestCoding[], idleTimeoutMs: number): Promise<Reading> {
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const stop = new EntryList<StopReading>();
    const body = streamBody(request, {
      codings,
      idleTimeoutMs,
      maxBodyBytes: Infinity,
      share: shares.open('a'),
      reading: stop,
    });
    return { request, response, body, stop };
  }

  describe.each(CODINGS)('of a body with the codings $codings', ({ codings }) => {
    it('keeps the connection open for the response when the body times out', async () => {
      const { request, response, body } = await read(codings, 50);
      await expect(collect(body)).rejects.toThrow(RequestTimedOut);
      await assertResponded(request, response);
    });

    it('keeps the connection open for the response when the read is stopped', async () => {
      const { request, response, body, stop } = await read(codings);
      const outcome = collect(body);
      for (const end of stop.items()) end(new ServiceStopping());
      await expect(outcome).rejects.toThrow(ServiceStopping);
      await assertResponded(request, response);
    });

    it('fails with ClientGone when the client resets the connection', async () => {
      const { body } = await read(codings);
      const outcome = collect(body);
      client.resetAndDestroy();
      await expect(outcome).rejects.toThrow(ClientGone);
    });
  });

  it('fails with ClientGone when the client disconnects after it has sent the whole body', async () => {
    const { body } = await readWhole(['gzip'], gzipSync(Buffer.alloc(8 * MIB, 'not worth sending ')));
    expect((await body.next()).done).toBe(false);
    client.destroy();
    await expect(collect(body)).rejects.toThrow(ClientGone);
  });

  it('reads deflate without its zlib wrapper', async () => {
    const { body } = await readWhole(['deflate'], deflateRawSync('hello'));
    expect(await collect(body)).toBe('hello');
  });

  it('refuses bytes after the end of the compressed data', async () => {
    const { body } = await readWhole(['gzip'], Buffer.concat([gzipSync('hello'), Buffer.from('junk')]));
    await expect(collect(body)).rejects.toThrow(InvalidRequest);
  });

  it('does not time out while the reader is slow', async () => {
    const { body } = await readWhole([], Buffer.alloc(MIB), 50);
    await body.next();
    await sleep(150);
    expect((await collect(body)).length).toBeLessThan(MIB);
  });

  it('times out below 1 KiB/s after the first minute, not counting time spent by the reader', async () => {
    const { body } = await read([]);
    let lateMs = 0;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + lateMs);
    await body.next();
    // The reader works for an hour.
    lateMs = 3_600_000;
    client.write('1\r\nx\r\n');
    expect(String((await body.next()).value)).toBe('x');
    // The reader waits for the client.
    const late = body.next();
    lateMs += 70_000;
    client.write('1\r\ny\r\n');
    await expect(late).rejects.toThrow(RequestTimedOut);
    clock.mockRestore();
  });

  it('keeps the connection open for the response when the reader stops early', async () => {
    const { request, response, body } = await read([]);
    expect(String((await body.next()).value)).toBe('hello');
    await body.return(undefined);
    await assertResponded(request, response);
  });
});

async function collect(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Asserts that the request still has its socket, and that its response can be sent completely. */
async function assertResponded(request: IncomingMessage, response: ServerResponse): Promise<void> {
  expect(request.destroyed).toBe(false);
  expect(request.socket).toBe(response.socket);
  response.end('refused');
  await once(response, 'finish');
  expect(request.socket).not.toBeNull();
}
