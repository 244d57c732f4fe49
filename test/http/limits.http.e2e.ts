import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

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

/** The head of a POST that announces a body of this size. */
const headOfPost = (bytes: number, ...fields: string[]): string =>
  headOf('POST /posts/', 'Content-Type: application/json', `Content-Length: ${bytes}`, ...fields);

const CLOSE = 'Connection: close';
/** The response to a request that waits for 100 Continue before it sends a body of this size. */
const announce = async (port: number, bytes: number) =>
  parseRawResponse(await rawExchange(port, headOfPost(bytes, CLOSE, 'Expect: 100-continue')));

describe('MAX_BODY_BYTES', () => {
  it('is the largest accepted size of a body, in bytes', async () => {
    const body = postOf(LIMIT);
    expect(Buffer.byteLength(body)).toBe(LIMIT);
    for (const sent of [{ body }, { chunks: [body] }])
      expect((await service.request('POST', '/posts/', { ...sent, headers: JSON_TYPE })).status).toBe(201);
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
    const { line, body } = await announce(service.port, LIMIT + 1);
    expect(line).toBe('HTTP/1.1 413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(tooLarge(LIMIT));
  });

  it('leaves the connection usable after a refusal', async () => {
    const body = postOf(LIMIT * 3);
    for (const sent of [{ body }, { chunks: [body] }, { body }]) {
      expect((await service.request('POST', '/posts/', { ...sent, headers: JSON_TYPE })).status).toBe(413);
      expect((await service.get('/posts/?limit=1')).status).toBe(200);
    }
  });

  it('is 16 MiB when it is not set', async () => {
    const roomy = await startService();
    const body = 'x'.repeat(10_000_000);
    expect((await roomy.create({ body })).body).toBe(body);
    expect(JSON.parse((await announce(roomy.port, 16_777_217)).body)).toEqual(tooLarge(16_777_216));
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
    socket.write(headOfPost(body.length, CLOSE));
    for (const char of body.slice(0, 10)) {
      await sleep(30);
      socket.write(char);
    }
    socket.write(body.slice(10));
    expect((await text(socket)).slice(0, 20)).toBe('HTTP/1.1 201 Created');
  });

  it('stores nothing when the client disconnects in the middle of its body', async () => {
    const before = await service.count();
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`${headOfPost(100)}{"title": "half", "bo`);
    await service.untilInFlight(1);
    socket.destroy();
    await service.untilInFlight(0);
    expect(await service.count()).toBe(before);
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
