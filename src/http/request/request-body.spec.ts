import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  BodyTooLarge,
  InflatesTooMuch,
  InvalidRequest,
  ServiceStopping,
} from '../../problem-details/problems.js';
import { BodyQuotas, BodyShare } from './body-share.js';
import { until } from '../../../test/support/until.js';
import { ClientGone, type ContentCoding, RequestBody, type RequestBodyOptions } from './request-body.js';

const MIB = 1_048_576;
const HELLO = Buffer.from('{"title":"Hello","body":"World"}');
const GZIP = gzipSync(HELLO);
const BR = brotliCompressSync(HELLO);
const JUNK = Buffer.from('junk');
const LAST_CHUNK = '0\r\n\r\n';

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const each of body) chunks.push(each);
  return Buffer.concat(chunks);
}

describe('RequestBody', () => {
  let server: Server;
  let client: Socket;
  beforeEach(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
    client.on('error', () => undefined).resume();
  });
  afterEach(() => {
    client.destroy();
    server.close();
  });

  interface Opened {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
    readonly body: RequestBody;
  }

  /** Sends the first bytes of a chunked body, and opens it. */
  async function open(sent: Buffer | string, options: Partial<RequestBodyOptions> = {}): Promise<Opened> {
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    if (sent.length > 0) client.write(chunk(Buffer.from(sent)));
    const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const share = new BodyShare('a', new BodyQuotas(MIB), true);
    const defaults = { coding: undefined, share, maxBytes: Infinity };
    return { request, response, body: new RequestBody(request, 'a/b', { ...defaults, ...options }) };
  }

  async function read(sent: Buffer, options: Partial<RequestBodyOptions> = {}): Promise<Buffer> {
    const { body } = await open(sent, options);
    client.write(LAST_CHUNK);
    return collect(body);
  }

  it.each<[string, ContentCoding | undefined, Buffer]>([
    ['no coding', undefined, HELLO],
    [
      'gzip of two members',
      'gzip',
      Buffer.concat([gzipSync(HELLO.subarray(0, 9)), gzipSync(HELLO.subarray(9))]),
    ],
    ['deflate', 'deflate', deflateSync(HELLO)],
    ['br', 'br', BR],
  ])('reads %s, in one packet or byte by byte', async (_, coding, bytes) => {
    expect(await read(bytes, { coding })).toEqual(HELLO);
    const { body } = await open('', { coding });
    const byteByByte = collect(body);
    for (const byte of bytes) {
      client.write(chunk(Buffer.of(byte)));
      await sleep(0);
    }
    client.write(LAST_CHUNK);
    expect(await byteByByte).toEqual(HELLO);
  });

  it.each([undefined, 'br'] as const)('reads megabytes with the coding %s', async (coding) => {
    const bytes = randomBytes(8 * MIB);
    const sent = coding ? brotliCompressSync(bytes, { params: { 1: 0 } }) : bytes;
    expect((await read(sent, { coding })).equals(bytes)).toBe(true);
  });

  describe('refuses', () => {
    it.each<[string, ContentCoding, Buffer]>([
      ['no data', 'gzip', Buffer.of()],
      ['plain text', 'gzip', HELLO],
      ['a wrong checksum', 'gzip', Buffer.from(GZIP).fill(0, GZIP.length - 8, GZIP.length - 4)],
      ['truncated data', 'br', BR.subarray(0, -1)],
      ['bytes after the end', 'gzip', Buffer.concat([GZIP, JUNK])],
      ['bytes after the end', 'br', Buffer.concat([BR, JUNK])],
    ])('%s as %s', async (_, coding, bytes) => {
      const refusal = read(bytes, { coding });
      await expect(refusal).rejects.toBeInstanceOf(InvalidRequest);
      await expect(refusal).rejects.toMatchObject({ errors: [{ code: 'malformed_encoding', pointer: '' }] });
    });

    it('data of more than maxBytes that inflate to nothing', async () => {
      const nothing = Buffer.concat(Array.from({ length: 20 }, () => gzipSync('')));
      const { body } = await open(nothing, { coding: 'gzip', maxBytes: 100 });
      await expect(collect(body)).rejects.toEqual(new BodyTooLarge(100));
    });

    it('a bomb before its end', async () => {
      const { body } = await open(gzipSync(Buffer.alloc(16 * MIB)), { coding: 'gzip' });
      await expect(collect(body)).rejects.toEqual(new InflatesTooMuch(600));
    });
  });

  it('waits for its client only while its reader wants more', async () => {
    const { body } = await open(Buffer.alloc(MIB));
    expect(body.isAwaited).toBe(false);
    const bytes = body[Symbol.asyncIterator]();
    await bytes.next();
    await until(() => !body.isAwaited);
    for (let length = 0; length < MIB && !body.isAwaited;)
      length += ((await bytes.next()).value as Buffer).length;
    expect(body.isAwaited).toBe(true);
  });

  describe.each([undefined, 'gzip'] as const)('with the coding %s', (coding) => {
    const start = coding ? GZIP.subarray(0, 12) : Buffer.from('hello');

    it('keeps the connection for the response, and for the next request, when it ends early', async () => {
      const { request, response, body } = await open(start, { coding });
      const outcome = collect(body);
      await sleep(20);
      body.destroy(new ServiceStopping());
      await expect(outcome).rejects.toThrow(ServiceStopping);
      expect(request.destroyed).toBe(false);
      expect(request.socket).toBe(response.socket);
      response.end('refused');
      for (let sent = 0; sent < 16; sent += 1) client.write(chunk(Buffer.alloc(MIB)));
      client.write(`${LAST_CHUNK}GET /next HTTP/1.1\r\nHost: a\r\n\r\n`);
      const [next] = (await once(server, 'request')) as [IncomingMessage];
      expect(next.url).toBe('/next');
      expect(request.listenerCount('data')).toBe(0);
    });
  });

  it('fails with ClientGone when the client disconnects after it has sent the whole body', async () => {
    const { body } = await open(gzipSync(randomBytes(8 * MIB)), { coding: 'gzip' });
    client.write(LAST_CHUNK);
    const bytes = body[Symbol.asyncIterator]();
    expect((await bytes.next()).done).toBe(false);
    client.destroy();
    const rest = async () => {
      while ((await bytes.next()).done !== true) await sleep(1);
    };
    await expect(rest()).rejects.toThrow(ClientGone);
  });

  it('fails with ClientGone when the client disconnected before the body was read', async () => {
    const { request, body } = await open('hello');
    const closed = once(request, 'close');
    client.destroy();
    request.resume();
    await closed.catch(() => undefined);
    await expect(collect(body)).rejects.toThrow(ClientGone);
  });
});
