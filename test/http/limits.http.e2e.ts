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

const TOO_LARGE = expect.objectContaining({
  code: 'body-too-large',
  status: 413,
  errors: [expect.objectContaining({ code: 'too_large', limit: LIMIT, pointer: '' })],
});

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
      expect((await service.request('POST', '/posts/', options)).problem).toEqual(TOO_LARGE);
      // The connection stays usable.
      expect((await service.request('PUT', post.path, options)).problem).toEqual(TOO_LARGE);
      expect((await service.get(post.path)).json()).toEqual(post);
    }
  });

  it('rejects a too large Content-Length before the body is sent', async () => {
    const fields = ['Content-Type: application/json', `Content-Length: ${LIMIT + 1}`, 'Connection: close'];
    const head = headOf('POST /posts/', ...fields, 'Expect: 100-continue');
    const { line, body } = parseRawResponse(await rawExchange(service.port, head));
    expect(line).toBe('HTTP/1.1 413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(TOO_LARGE);
  });
});

describe('a slow request', () => {
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
});
