import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
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

/** The response to a request that waits for 100 Continue before it sends a body of this size. */
async function announce(port: number, bytes: number) {
  const fields = ['Content-Type: application/json', `Content-Length: ${bytes}`, 'Connection: close'];
  return parseRawResponse(await rawExchange(port, headOf('POST /posts/', ...fields, 'Expect: 100-continue')));
}

describe('MAX_BODY_BYTES', () => {
  it.each<[string, Record<string, string>, (body: string) => object]>([
    ['with its length', JSON_TYPE, (body) => ({ body })],
    ['in chunks', JSON_TYPE, (body) => ({ chunks: [body.slice(0, 100), body.slice(100)] })],
    ['compressed', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, (body) => ({ body: gzipSync(body) })],
  ])('is the largest accepted size of a body, sent %s', async (_, headers, send) => {
    const post = await service.create();
    const fits = await service.request('POST', '/posts/', { headers, ...send(postOf(LIMIT)) });
    expect(fits.status).toBe(201);
    for (const bytes of [LIMIT + 1, LIMIT * 3]) {
      const options = { headers, ...send(postOf(bytes)) };
      expect((await service.request('POST', '/posts/', options)).problem).toEqual(tooLarge(LIMIT));
      // The connection stays usable.
      expect((await service.request('PUT', post.path, options)).problem).toEqual(tooLarge(LIMIT));
      expect((await service.get(post.path)).json()).toEqual(post);
    }
  });

  it('rejects a too large Content-Length before the body is sent', async () => {
    const { line, body } = await announce(service.port, LIMIT + 1);
    expect(line).toBe('HTTP/1.1 413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(tooLarge(LIMIT));
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

  it('stores nothing when the client disconnects in the middle of its body', async () => {
    const before = await service.count();
    const socket = connect(service.port, '127.0.0.1');
    const head = headOf('POST /posts/', 'Content-Type: application/json', 'Content-Length: 100');
    socket.write(`${head}{"title": "half", "bo`);
    await service.untilInFlight(1);
    socket.destroy();
    await service.untilInFlight(0);
    expect(await service.count()).toBe(before);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the default address of the service', () => {
  it.each(['127.0.0.2', '::1'])('is 127.0.0.1 only, and not %s', async (address) => {
    expect(service.app.getHttpServer().address()).toMatchObject({ address: '127.0.0.1' });
    const refused = new Promise((resolve) => {
      connect(service.port, address).once('error', resolve);
    });
    expect(await refused).toMatchObject({ syscall: 'connect' });
  });
});
