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

  describe('of a body that is sent as it is', () => {
    it('reads a body that arrives in one packet with the header', async () => {
      const { socket, outcome } = await open({});
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it('reads an empty one', async () => {
      const { socket, outcome } = await open({});
      socket.write(announce(0));
      expect(await outcome).toEqual(Buffer.alloc(0));
    });

    it('reads one that was all there before', async () => {
      const { socket, outcome } = await open({ before: () => delay(50) });
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it('puts together many packets, to the last byte', async () => {
      const body = randomBytes(MIB);
      const { socket, outcome } = await open({});
      socket.write(whole(body));
      expect((await outcome).equals(body)).toBe(true);
    });

    it('puts together thousands of chunks of one byte', async () => {
      const body = randomBytes(5_000);
      const { socket, outcome } = await open({});
      socket.write(CHUNKED);
      socket.write(Buffer.concat([...body].map((byte) => chunk(Buffer.of(byte)))));
      socket.write(LAST_CHUNK);
      expect((await outcome).equals(body)).toBe(true);
    });

    it('says when it is about to read the first byte', async () => {
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
    ])('inflates %s, however it is cut into packets', async (_, codings, body) => {
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

    it('inflates much, and makes a client that is faster wait', async () => {
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
      ['another coding', ['br'], gzip],
      ['a wrong check sum', ['gzip'], flipped],
      ['missing bytes', ['gzip'], gzip.subarray(0, -1)],
      ['missing bytes', ['deflate'], deflate.subarray(0, -1)],
      ['missing bytes', ['br'], br.subarray(0, -1)],
      ['missing bytes within', ['gzip', 'br'], brotliCompressSync(gzip.subarray(0, -1))],
      ['more behind the end', ['gzip'], Buffer.concat([gzip, junk])],
      ['zeros behind the end', ['gzip'], Buffer.concat([gzip, Buffer.alloc(9)])],
      ['more behind the end', ['deflate'], Buffer.concat([deflate, junk])],
      ['more behind the end', ['br'], Buffer.concat([br, junk])],
      ['more behind the inner end', ['deflate', 'gzip'], gzipSync(Buffer.concat([deflate, junk]))],
      ['more behind the outer end', ['gzip', 'br'], Buffer.concat([brotliCompressSync(gzip), junk])],
    ])('refuses %s as %j', async (_, codings, body) => {
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
    ])('refuses a packet behind the end of %s', async (coding, body) => {
      const { socket, outcome } = await open({ codings: [coding] });
      socket.write(CHUNKED);
      socket.write(chunk(body));
      await delay(30);
      socket.write(chunk(junk));
      socket.write(LAST_CHUNK);
      await expect(outcome).rejects.toBeInstanceOf(InvalidRequest);
    });
  });

  describe('of a body beyond the limit', () => {
    it('reads as much as the limit', async () => {
      const { socket, outcome } = await open({ maxBodyBytes: HELLO.length });
      socket.write(whole(HELLO));
      expect(await outcome).toEqual(HELLO);
    });

    it.each<[string, RequestCoding[]]>([
      ['a plain', []],
      ['a compressed', ['gzip']],
    ])('refuses %s one unread when Content-Length tells', async (_, codings) => {
      const onReadStart = jest.fn();
      const { socket, outcome, requests } = await open({ codings, maxBodyBytes: 100, onReadStart });
      socket.write(announce(101));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(100));
      expect(onReadStart).not.toHaveBeenCalled();
      expect(requests[0]!.listenerCount('data')).toBe(0);
    });

    it('refuses a chunked one with the first byte too many', async () => {
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
    ])('refuses a bomb of %s before all of it has come', async (_, codings, compress) => {
      const body = compress();
      const { socket, outcome } = await open({ codings });
      socket.write(announce(body.length + 1));
      socket.write(body);
      await expect(outcome).rejects.toEqual(new BodyTooLarge(MIB));
    });

    it('refuses bytes after the end of a compressed body', async () => {
      const { socket, outcome } = await open({ codings: ['gzip'], maxBodyBytes: 10_000 });
      const emptyMembers = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync('')));
      socket.write(CHUNKED);
      socket.write(chunk(emptyMembers));
      await expect(outcome).rejects.toEqual(new BodyTooLarge(10_000));
    });

    it.each<[string, RequestCoding[], Buffer]>([
      ['a plain one', [], Buffer.alloc(2 * MIB)],
      ['a compressed one', ['gzip'], gzipSync(bomb)],
    ])('lets the rest of %s go, so that the connection serves the next request', async (_, codings, body) => {
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

  describe('of a body that inflates to more than any honest data', () => {
    it.each<[string, RequestCoding[], () => Buffer]>([
      ['much in the end', ['gzip'], () => gzipSync(Buffer.alloc(16 * MIB))],
      ['much in the end', ['gzip', 'gzip'], () => gzipSync(gzipSync(Buffer.alloc(16 * MIB)))],
      [
        'much in between, and nothing in the end',
        ['gzip', 'gzip'],
        () => gzipSync(Buffer.concat([GZIP_HEADER, Buffer.alloc(16 * MIB, EMPTY_BLOCK)])),
      ],
    ])('refuses %s, in %j', async (_, codings, compress) => {
      const { socket, outcome } = await open({ codings, maxBodyBytes: 64 * MIB });
      const body = compress();
      socket.write(announce(body.length + 1));
      socket.write(body);
      await expect(outcome).rejects.toEqual(new InflatesTooMuch(600));
    });

    it('reads posts that have nearly everything in common', async () => {
      const body = Buffer.from('{"title":"The same","body":"Nothing new to be said."}\n'.repeat(100_000));
      const { socket, outcome } = await open({ codings: ['gzip'], maxBodyBytes: 64 * MIB });
      socket.write(whole(gzipSync(body)));
      expect((await outcome).equals(body)).toBe(true);
    });
  });

  describe('of a body that does not arrive', () => {
    it('gives up when no byte has come for the idle timeout', async () => {
      const { socket, outcome, requests } = await open({ idleTimeoutMs: 50 });
      socket.write(announce(HELLO));
      socket.write(HELLO.subarray(0, 5));
      await expect(outcome).rejects.toBeInstanceOf(RequestTimedOut);
      await expect(outcome).rejects.toMatchObject({ detail: 'No byte of the body came for 0.05 s.' });
      expect(requests[0]!.listenerCount('data')).toBe(0);
    });

    it('gives up when not even the first byte has come', async () => {
      const { socket, outcome } = await open({ idleTimeoutMs: 50, codings: ['gzip'] });
      socket.write(announce(HELLO));
      await expect(outcome).rejects.toBeInstanceOf(RequestTimedOut);
    });

    it.each<[string, () => Buffer]>([
      ['empty blocks', () => EMPTY_BLOCK],
      ['a comment', () => Buffer.from('x')],
    ])('does not count as a byte what inflates to nothing: %s', async (what, packet) => {
      const { socket, outcome } = await open({ idleTimeoutMs: 200, codings: ['gzip'] });
      const header = Buffer.from(GZIP_HEADER);
      if (what === 'a comment') header[3] = 0x10;
      socket.write(CHUNKED);
      socket.write(chunk(header));
      const trickle = setInterval(() => socket.write(chunk(packet())), 20);
      await expect(outcome.finally(() => clearInterval(trickle))).rejects.toEqual(
        new RequestTimedOut('No byte of the body came for 0.2 s.'),
      );
    });

    it.each<[string, RequestCoding[], () => Buffer]>([
      ['as it is', [], () => Buffer.from('x')],
      // One byte in a stored block (RFC 1951 §3.2.4), behind the header of gzip in the first one.
      ['compressed', ['gzip'], () => Buffer.of(0, 1, 0, 0xfe, 0xff, 0x78)],
    ])('gives up on less than 1 KiB/s after the first minute, %s', async (_, codings, packet) => {
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
        new RequestTimedOut('The body came at less than 1024 bytes a second.'),
      );
      clock.mockRestore();
    });

    it('waits for a body that is slow but moves', async () => {
      const { socket, outcome } = await open({ idleTimeoutMs: 250 });
      socket.write(announce(10));
      for (const digit of '0123456789') {
        await delay(50);
        socket.write(digit);
      }
      expect((await outcome).toString()).toBe('0123456789');
    });

    it.each<[string, RequestCoding[]]>([
      ['as it is', []],
      ['compressed', ['gzip']],
    ])('tells by ClientGone that the client has gone, %s', async (_, codings) => {
      const { socket, outcome } = await open({ codings });
      socket.write(announce(1_000));
      socket.write(gzipSync(HELLO).subarray(0, 12));
      await delay(30);
      socket.destroy();
      await expect(outcome).rejects.toBeInstanceOf(ClientGone);
    });

    it('fails with ClientGone when the request was aborted on this side', async () => {
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
  ])('makes %j %j', (text, rest) => {
    expect(withoutByteOrderMark(Buffer.from(text)).toString()).toBe(rest);
  });
});
