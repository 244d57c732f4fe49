import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';
import { untilInFlight } from '../support/until.js';

const LIMIT = 5_000;
const service = await startService({ MAX_BODY_BYTES: String(LIMIT) });

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A post whose JSON has exactly this many bytes, mostly in two-byte characters. */
function postOf(bytes: number): string {
  const empty = JSON.stringify(aPost({ body: '' }));
  const rest = bytes - Buffer.byteLength(empty);
  return JSON.stringify(aPost({ body: 'é'.repeat(rest >> 1) + 'x'.repeat(rest & 1) }));
}

const tooLarge = (limit: number) =>
  expect.objectContaining({
    code: 'body-too-large',
    status: 413,
    errors: [expect.objectContaining({ code: 'too_large', limit, pointer: '' })],
  });

const HEAD =
  'POST /posts/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n';

describe('MAX_BODY_BYTES', () => {
  it('is the largest accepted size of a body, in bytes', async () => {
    const body = postOf(LIMIT);
    expect(Buffer.byteLength(body)).toBe(LIMIT);
    expect((await service.request('POST', '/posts/', { body, headers: JSON_TYPE })).status).toBe(201);
    expect((await service.request('POST', '/posts/', { chunks: [body], headers: JSON_TYPE })).status).toBe(
      201,
    );
  });

  it.each<[string, Record<string, string>, (body: string) => object]>([
    ['with its length', JSON_TYPE, (body) => ({ body })],
    ['in chunks', JSON_TYPE, (body) => ({ chunks: [body.slice(0, 100), body.slice(100)] })],
    ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, (body) => ({ body })],
    ['as a multipart form', { 'Content-Type': 'multipart/form-data; boundary=XX' }, (body) => ({ body })],
    ['malformed as well', JSON_TYPE, (body) => ({ body: `{${body}` })],
  ])('rejects a body of one byte more with 413, sent %s', async (_, headers, send) => {
    const post = await service.create();
    const options = { headers, ...send(postOf(LIMIT + 1)) };
    expect((await service.request('POST', '/posts/', options)).problem).toEqual(tooLarge(LIMIT));
    expect((await service.request('PUT', post.path, options)).problem).toEqual(tooLarge(LIMIT));
    expect((await service.get(post.path)).json()).toEqual(post);
  });

  it.each<[string, (body: string) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('holds for the inflated size: %s', async (coding, compress) => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': coding };
    const fits = await service.request('POST', '/posts/', { body: compress(postOf(LIMIT)), headers });
    expect(fits.status).toBe(201);
    for (const bytes of [LIMIT + 1, 20_000_000]) {
      const body = compress(postOf(bytes));
      if (bytes === LIMIT + 1) expect(body.length).toBeLessThan(LIMIT);
      expect((await service.request('POST', '/posts/', { body, headers })).problem).toEqual(tooLarge(LIMIT));
    }
  });

  it('rejects a too large Content-Length before the body is sent', async () => {
    const raw = await rawExchange(
      service.port,
      `${HEAD}Expect: 100-continue\r\nContent-Length: 5001\r\n\r\n`,
    );
    const { line, body } = parseRawResponse(raw);
    expect(line).toBe('HTTP/1.1 413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(tooLarge(LIMIT));
  });

  it('leaves the connection usable after a refusal', async () => {
    for (let round = 0; round < 3; round += 1) {
      const body = postOf(LIMIT * 3);
      expect((await service.request('POST', '/posts/', { body, headers: JSON_TYPE })).status).toBe(413);
      expect((await service.request('POST', '/posts/', { chunks: [body], headers: JSON_TYPE })).status).toBe(
        413,
      );
      expect((await service.get('/posts/?limit=1')).status).toBe(200);
    }
  });

  it('is 16 MiB when it is not set', async () => {
    const roomy = await startService();
    const body = 'x'.repeat(10_000_000);
    const post = await roomy.create({ body });
    expect(post.body).toBe(body);
    const raw = await rawExchange(
      roomy.port,
      `${HEAD}Expect: 100-continue\r\nContent-Length: 16777217\r\n\r\n`,
    );
    expect(JSON.parse(parseRawResponse(raw).body)).toEqual(tooLarge(16_777_216));
  });
});

describe('a slow or interrupted request', () => {
  it('is ended with 408 when its header does not arrive in time', async () => {
    const server = service.app.getHttpServer();
    expect(server.headersTimeout).toBe(20_000);
    server.headersTimeout = 100;
    try {
      const raw = await rawExchange(service.port, 'GET /posts/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      expect(raw).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\n/);
    } finally {
      server.headersTimeout = 20_000;
    }
  });

  it('is accepted when its body arrives in small pieces', async () => {
    const body = JSON.stringify(aPost());
    const socket = connect(service.port, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
    });
    socket.write(`${HEAD}Content-Length: ${body.length}\r\n\r\n`);
    for (const char of body.slice(0, 10)) {
      await sleep(30);
      socket.write(char);
    }
    socket.write(body.slice(10));
    await closed;
    expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  });

  it('stores nothing when the client disconnects in the middle of its body', async () => {
    const { headers } = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
    const socket = connect(service.port, '127.0.0.1');
    const head = `POST /posts/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 100\r\n\r\n{"title": "half", "bo`);
    const metrics = async (): Promise<string> => (await service.get('/metrics')).text;
    await untilInFlight(1, metrics);
    socket.destroy();
    await untilInFlight(0, metrics);
    const after = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
    expect(after.headers['x-total-count']).toBe(headers['x-total-count']);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the default address of the service', () => {
  const isReached = (address: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(service.port, address);
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });

  it('is 127.0.0.1 only', async () => {
    expect(service.app.getHttpServer().address()).toMatchObject({ address: '127.0.0.1' });
    expect(await isReached('127.0.0.1')).toBe(true);
    expect(await isReached('127.0.0.2')).toBe(false);
    expect(await isReached('::1')).toBe(false);
  });
});
