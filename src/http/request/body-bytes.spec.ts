import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  BodyTooLarge,
  InflatesTooMuch,
  InvalidRequest,
  RequestTimedOut,
} from '../../problem-details/problems.js';
import { type BodyStreamOptions, readBodyBytes, withoutByteOrderMark } from './body-bytes.js';
import { ClientGone } from './body-reading.js';
import type { RequestCoding } from './inflation.js';

const MIB = 1_048_576;
const HELLO = Buffer.from('{"title":"Hello","body":"World"}');

interface ReadCase extends Partial<BodyStreamOptions> {
  /** Runs before the body is read. */
  before?: (request: IncomingMessage) => Promise<unknown>;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
}

const untilClosed = (request: IncomingMessage) =>
  new Promise((resolve) => {
    request.once('close', resolve);
  });
const head = (fields: string) => `POST / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`;
const announce = (bytes: Buffer | number) =>
  head(`Content-Length: ${typeof bytes === 'number' ? bytes : bytes.length}`);
const whole = (body: Buffer) => Buffer.concat([Buffer.from(announce(body)), body]);
const CHUNKED = head('Transfer-Encoding: chunked');
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
/** RFC 1952 §2.3. */
const GZIP_HEADER = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
/** A stored block of no bytes (RFC 1951 §3.2.4). */
const EMPTY_BLOCK = Buffer.of(0, 0, 0, 0xff, 0xff);
const LAST_CHUNK = '0\r\n\r\n';

describe('readBodyBytes', () => {
  const servers: Server[] = [];
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const server of servers.splice(0)) server.close();
  });

  /** Opens a connection to a server that reads the body of its first request, and responds to each with 204. */
  async function open({
    codings = [],
    maxBodyBytes = MIB,
    idleTimeoutMs = 5_000,
    onReadStart,
    onBytes,
    before,
  }: ReadCase) {
    let settle: (outcome: Promise<Buffer>) => void;
    const outcome = new Promise<Buffer>((resolve) => {
      settle = resolve;
    });
    outcome.catch(() => undefined);
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      if (requests.length > 1) {
        response.writeHead(204).end();
        return;
      }
      const reading = (before?.(request) ?? Promise.resolve()).then(() =>
        readBodyBytes(request, { codings, maxBodyBytes, idleTimeoutMs, onBytes, onReadStart }),
      );
      settle(reading);
      const apiResponse = () => response.writeHead(204).end();
      reading.then(apiResponse, apiResponse);
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const socket = connect(portOf(server), '127.0.0.1').setNoDelay(true);
    sockets.push(socket);
    return { server, socket, outcome, requests };
  }

  describe('of an uncompressed body', () => {
    it('reads a body that arrives in one packet with the header', async () => {
      const { socket, outcome } = await open({});
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it('reads an empty body', async () => {
      const { socket, outcome } = await open({});
      socket.write(announce(0));
      expect(await outcome).toEqual(Buffer.alloc(0));
    });

    it('reads a body that arrived before the read started', async () => {
      const { socket, outcome } = await open({ before: () => delay(50) });
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it('reads a body of many packets completely', async () => {
      const body = randomBytes(MIB);
      const { socket, outcome } = await open({});
      socket.write(whole(body));
      expect((await outcome).equals(body)).toBe(true);
    });

    it('reads a body of thousands of one-byte chunks', async () => {
      const body = randomBytes(5_000);
      const { socket, outcome } = await open({});
      socket.write(CHUNKED);
      socket.write(Buffer.concat([...body].map((byte) => chunk(Buffer.of(byte)))));
      socket.write(LAST_CHUNK);
      expect((await outcome).equals(body)).toBe(true);
    });

    it('calls onReadStart before the first byte arrives', async () => {
      let start: () => void;
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      const { socket, outcome } = await open({ onReadStart: () => start() });
      socket.write(announce(HELLO));
      await started;
      socket.write(HELLO);
      expect(await outcome).toEqual(HELLO);
    });
  });

  describe('of a compressed body', () => {
    it.each<[string, RequestCoding[], Buffer]>([
      ['gzip', ['gzip'], gzipSync(HELLO)],
      [
        'gzip of two members',
        ['gzip'],
        Buffer.concat([gzipSync('{"title":"Hello",'), gzipSync('"body":"World"}')]),
      ],
      ['deflate', ['deflate'], deflateSync(HELLO)],
      ['deflate without the zlib wrapper', ['deflate'], deflateRawSync(HELLO)],
      ['br', ['br'], brotliCompressSync(HELLO)],
      ['gzip, then br', ['gzip', 'br'], brotliCompressSync(gzipSync(HELLO))],
      ['deflate, then gzip', ['deflate', 'gzip'], gzipSync(deflateSync(HELLO))],
      ['br, then gzip', ['br', 'gzip'], gzipSync(brotliCompressSync(HELLO))],
      ['deflate, twice', ['deflate', 'deflate'], deflateSync(deflateSync(HELLO))],
    ])('inflates %s, in one packet or byte by byte', async (_, codings, body) => {
      const inOne = await open({ codings });
      inOne.socket.write(whole(body));
      expect(await inOne.outcome).toEqual(HELLO);

      const byByte = await open({ codings });
      byByte.socket.write(CHUNKED);
      for (const byte of body) {
        byByte.socket.write(chunk(Buffer.of(byte)));
        await delay(0);
      }
      byByte.socket.write(LAST_CHUNK);
      expect(await byByte.outcome).toEqual(HELLO);
    });

    it('pauses a fast client while it inflates a large body', async () => {
      const body = randomBytes(8 * MIB);
      let pauses = 0;
      const before = async (request: IncomingMessage) => {
        request.on('pause', () => {
          pauses += 1;
        });
      };
      const { socket, outcome } = await open({ codings: ['gzip', 'br'], maxBodyBytes: 9 * MIB, before });
      socket.write(whole(brotliCompressSync(gzipSync(body, { level: 1 }), { params: { 1: 0 } })));
      expect((await outcome).equals(body)).toBe(true);
      expect(pauses).toBeGreaterThan(0);
    });

    const gzip = gzipSync(HELLO);
    const deflate = deflateSync(HELLO);
    const br = brotliCompressSync(HELLO);
    const junk = Buffer.from('junk');
    const flipped = Buffer.from(gzip);
    flipped[gzip.length - 6]! ^= 1;
    it.each<[string, RequestCoding[], Buffer]>([
      ['an empty body', ['gzip'], Buffer.alloc(0)],
      ['plain text', ['gzip'], HELLO],
      ['plain text', ['deflate'], HELLO],
      ['plain text', ['br'], HELLO],
      ['data in another coding', ['br'], gzip],
      ['a wrong checksum', ['gzip'], flipped],
      ['truncated data', ['gzip'], gzip.subarray(0, -1)],
      ['truncated data', ['deflate'], deflate.subarray(0, -1)],
      ['truncated data', ['br'], br.subarray(0, -1)],
      ['truncated inner data', ['gzip', 'br'], brotliCompressSync(gzip.subarray(0, -1))],
      ['bytes after the end', ['gzip'], Buffer.concat([gzip, junk])],
      ['zeros after the end', ['gzip'], Buffer.concat([gzip, Buffer.alloc(9)])],
      ['bytes after the end', ['deflate'], Buffer.concat([deflate, junk])],
      ['bytes after the end', ['br'], Buffer.concat([br, junk])],
      ['bytes after the inner end', ['deflate', 'gzip'], gzipSync(Buffer.concat([deflate, junk]))],
      ['bytes after the outer end', ['gzip', 'br'], Buffer.concat([brotliCompressSync(gzip), junk])],
    ])('refuses %s when Content-Encoding is %j', async (_, codings, body) => {
      const { socket, outcome, requests } = await open({ codings });
      socket.write(whole(body));
      const fault = {
        detail: `The body is not complete and correct ${codings.join(', ')} data, as Content-Encoding says it is.`,
        code: 'malformed_encoding',
        pointer: '',
      };
      await expect(outcome).rejects.toBeInstanceOf(InvalidRequest);
      await expect(outcome).rejects.toMatchObject({ errors: [fault] });
      expect(requests[0]!.listenerCount('data')).toBe(0);
    });

    it.each<[RequestCoding, Buffer]>([
      ['gzip', gzip],
      ['deflate', deflate],
      ['br', br],
    ])('refuses a packet after the end of %s data', async (coding, body) => {
      const { socket, outcome } = await open({ codings: [coding] });
      socket.write(CHUNKED);
      socket.write(chunk(body));
      await delay(30);
      socket.write(chunk(junk));
      socket.write(LAST_CHUNK);
      await expect(outcome).rejects.toBeInstanceOf(InvalidRequest);
    });
  });

  describe('with a size limit', () => {
    it('reads a body of exactly the limit', async () => {
      const { socket, outcome } = await open({ maxBodyBytes: HELLO.length });
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it.each<[string, RequestCoding[]]>([
      ['a plain', []],
      ['a compressed', ['gzip']],
    ])('refuses %s body unread when Content-Length exceeds the limit', async (_, codings) => {
      const onReadStart = jest.fn();
      const { socket, outcome, requests } = await open({ codings, maxBodyBytes: 100, onReadStart });
      socket.write(announce(101));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(100));
      expect(onReadStart).not.toHaveBeenCalled();
      expect(requests[0]!.listenerCount('data')).toBe(0);
    });

    it('refuses a chunked body at the first byte beyond the limit', async () => {
      const { socket, outcome } = await open({ maxBodyBytes: 100 });
      socket.write(CHUNKED);
      socket.write(chunk(Buffer.alloc(100)));
      await delay(30);
      socket.write(chunk(Buffer.alloc(1)));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(100));
    });

    const bomb = Buffer.alloc(64 * MIB);
    it.each<[string, RequestCoding[], () => Buffer]>([
      ['gzip', ['gzip'], () => gzipSync(bomb)],
      ['deflate', ['deflate'], () => deflateSync(bomb)],
      ['br', ['br'], () => brotliCompressSync(bomb, { params: { 1: 1 } })],
    ])('refuses a %s bomb before the whole body has arrived', async (_, codings, compress) => {
      const body = compress();
      const { socket, outcome } = await open({ codings });
      socket.write(announce(body.length + 1));
      socket.write(body);
      await expect(outcome).rejects.toEqual(new BodyTooLarge(MIB));
    });

    it('refuses a compressed body beyond the limit, even when it inflates to nothing', async () => {
      const { socket, outcome } = await open({ codings: ['gzip'], maxBodyBytes: 10_000 });
      const emptyMembers = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')));
      socket.write(CHUNKED);
      socket.write(chunk(emptyMembers));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(10_000));
    });

    it.each<[string, RequestCoding[], Buffer]>([
      ['a plain body', [], Buffer.alloc(2 * MIB)],
      ['a compressed body', ['gzip'], gzipSync(bomb)],
    ])('discards the rest of %s and serves the next request', async (_, codings, body) => {
      const { server, socket, outcome } = await open({ codings });
      socket.write(CHUNKED);
      socket.write(chunk(body));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(MIB));
      for (let sent = 0; sent < 16; sent += 1) socket.write(chunk(Buffer.alloc(MIB)));
      socket.write(LAST_CHUNK);
      socket.write('GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.resume();
      const [next] = await once(server, 'request');
      expect(next.url).toBe('/next');
    });
  });

  describe('of a body with a high compression ratio', () => {
    it.each<[string, RequestCoding[], () => Buffer]>([
      ['a large output', ['gzip'], () => gzipSync(Buffer.alloc(16 * MIB))],
      ['a large output', ['gzip', 'gzip'], () => gzipSync(gzipSync(Buffer.alloc(16 * MIB)))],
      [
        'a large intermediate output',
        ['gzip', 'gzip'],
        () => gzipSync(Buffer.concat([GZIP_HEADER, Buffer.alloc(16 * MIB, EMPTY_BLOCK)])),
      ],
    ])('refuses %s of %j', async (_, codings, compress) => {
      const { socket, outcome } = await open({ codings, maxBodyBytes: 64 * MIB });
      const body = compress();
      socket.write(announce(body.length + 1));
      socket.write(body);
      await expect(outcome).rejects.toEqual(new InflatesTooMuch(600));
    });

    it('reads posts that are nearly identical', async () => {
      const body = Buffer.from('{"title":"The same","body":"Nothing new to be said."}\n'.repeat(100_000));
      const { socket, outcome } = await open({ codings: ['gzip'], maxBodyBytes: 64 * MIB });
      socket.write(whole(gzipSync(body)));
      expect((await outcome).equals(body)).toBe(true);
    });
  });

  describe('of a slow or incomplete body', () => {
    it('times out when no byte arrives within the idle timeout', async () => {
      const { socket, outcome, requests } = await open({ idleTimeoutMs: 50 });
      socket.write(announce(HELLO));
      socket.write(HELLO.subarray(0, 5));
      await expect(outcome).rejects.toBeInstanceOf(RequestTimedOut);
      await expect(outcome).rejects.toMatchObject({ detail: 'No byte of the body arrived for 0.05 s.' });
      expect(requests[0]!.listenerCount('data')).toBe(0);
    });

    it('times out when the first byte does not arrive', async () => {
      const { socket, outcome } = await open({ idleTimeoutMs: 50, codings: ['gzip'] });
      socket.write(announce(HELLO));
      await expect(outcome).rejects.toBeInstanceOf(RequestTimedOut);
    });

    it.each<[string, () => Buffer]>([
      ['empty blocks', () => EMPTY_BLOCK],
      ['a comment', () => Buffer.from('x')],
    ])('times out on compressed data that inflates to nothing: %s', async (what, packet) => {
      const { socket, outcome } = await open({ idleTimeoutMs: 200, codings: ['gzip'] });
      const header = Buffer.from(GZIP_HEADER);
      if (what === 'a comment') header[3] = 0x10;
      socket.write(CHUNKED);
      socket.write(chunk(header));
      const trickle = setInterval(() => socket.write(chunk(packet())), 20);
      await expect(outcome.finally(() => clearInterval(trickle))).rejects.toEqual(
        new RequestTimedOut('No byte of the body arrived for 0.2 s.'),
      );
    });

    it.each<[string, RequestCoding[], () => Buffer]>([
      ['plain', [], () => Buffer.from('x')],
      // A stored block of one byte (RFC 1951 §3.2.4).
      ['compressed', ['gzip'], () => Buffer.of(0, 1, 0, 0xfe, 0xff, 0x78)],
    ])('times out below 1 KiB/s after the first minute: %s', async (_, codings, packet) => {
      let lateMs = 0;
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + lateMs);
      const seen: number[] = [];
      const { socket, outcome } = await open({ codings, onBytes: ({ length }) => seen.push(length) });
      socket.write(CHUNKED);
      if (codings.length > 0) socket.write(chunk(GZIP_HEADER));
      for (let packets = 1; packets <= 3; packets += 1) {
        socket.write(chunk(packet()));
        while (seen.length < packets) await delay(5);
        lateMs = 15_000 * packets;
      }
      lateMs = 90_000;
      socket.write(chunk(packet()));
      await expect(outcome).rejects.toEqual(
        new RequestTimedOut('The body arrived at less than 1024 bytes a second.'),
      );
      clock.mockRestore();
    });

    it('reads a slow body whose bytes keep arriving', async () => {
      const { socket, outcome } = await open({ idleTimeoutMs: 250 });
      socket.write(announce(10));
      for (const digit of '0123456789') {
        await delay(50);
        socket.write(digit);
      }
      expect((await outcome).toString()).toBe('0123456789');
    });

    it.each<[string, RequestCoding[]]>([
      ['plain', []],
      ['compressed', ['gzip']],
    ])('fails with ClientGone when the client disconnects during a %s body', async (_, codings) => {
      const { socket, outcome } = await open({ codings });
      socket.write(announce(1_000));
      socket.write(gzipSync(HELLO).subarray(0, 12));
      await delay(30);
      socket.destroy();
      await expect(outcome).rejects.toBeInstanceOf(ClientGone);
    });

    it('fails with ClientGone when the server destroys the request', async () => {
      const before = async (request: IncomingMessage) => {
        setTimeout(() => request.destroy(), 50);
      };
      const { socket, outcome } = await open({ before });
      socket.write(announce(HELLO));
      await expect(outcome).rejects.toBeInstanceOf(ClientGone);
    });

    it('fails with ClientGone when the client disconnected before the body was read', async () => {
      const { socket, outcome } = await open({ before: untilClosed });
      socket.write(announce(HELLO));
      await delay(30);
      socket.destroy();
      await expect(outcome).rejects.toBeInstanceOf(ClientGone);
    });
  });
});

describe('withoutByteOrderMark', () => {
  it.each([
    ['\ufeffa', 'a'],
    ['a', 'a'],
    ['', ''],
    ['\ufeff\ufeffa', '\ufeffa'],
    ['a\ufeff', 'a\ufeff'],
  ])('turns %j into %j', (text, rest) => {
    expect(withoutByteOrderMark(Buffer.from(text)).toString()).toBe(rest);
  });
});
