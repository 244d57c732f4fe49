import { jest } from '@jest/globals';
import type { Request } from 'express';
import { createHash, hash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { headOf } from '../../../test/support/raw-exchange.js';
import { stopTimers } from '../../../test/support/stop-timers.js';
import { until } from '../../../test/support/until.js';
import { TooBusy } from '../../problem-details/problems.js';
import type { BodyFormat } from './body-format.js';
import { BodyQuotas, BodyShare } from './body-quotas.js';
import { RequestBody } from './request-body.js';

const MIB = 1_048_576;
const TEXT = Buffer.alloc(MIB, 'x');
const COMPRESSED = gzipSync(TEXT);

/** Begins compressed bodies, and takes down the most chunks that were decoded at once. */
function setUp() {
  const quotas = new BodyQuotas(MIB);
  const { decoding } = quotas;
  const seen = { most: 0 };
  const take = decoding.take.bind(decoding);
  jest.spyOn(decoding, 'take').mockImplementation((...part) => {
    const isTaken = take(...part);
    seen.most = Math.max(seen.most, decoding.held);
    return isTaken;
  });
  const begin = (client: string): RequestBody => {
    const context = { bodyShare: new BodyShare(client, quotas, false), signal: new AbortController().signal };
    const request = Object.assign(new PassThrough(), { context }) as unknown as Request;
    const format = { type: 'text/plain', createDecoder: createGunzip };
    const body = new RequestBody(request, format, 16 * MIB, undefined);
    (request as unknown as PassThrough).end(COMPRESSED);
    return body;
  };
  return { begin, decoding, seen };
}

describe('RequestBody', () => {
  beforeEach(() => stopTimers());
  afterEach(() => {
    jest.useRealTimers();
  });

  it('decodes one chunk of a client at a time, beside those of other clients', async () => {
    const { begin, decoding, seen } = setUp();
    const bodies = ['one', 'one', 'one', 'one', 'one', 'other'].map(begin);
    for (const body of bodies) expect((await body.readAll()).equals(TEXT)).toBe(true);
    expect(seen.most).toBe(2);
    expect(decoding.held).toBe(0);
  });

  it('gives its place back when it ends before its chunk is decoded', async () => {
    const { begin, decoding } = setUp();
    const body = begin('one');
    await nextTurn();
    expect(decoding.held).toBe(1);
    body.destroy();
    const next = begin('one');
    expect((await next.readAll()).equals(TEXT)).toBe(true);
    expect(decoding.held).toBe(0);
  });
});

/** Sends a body to a server that reads none of it. @param format of its content coding */
async function send(sent: Buffer, format: BodyFormat, quotas: BodyQuotas) {
  const seen: { body?: RequestBody; request?: IncomingMessage; isClosed: boolean } = { isClosed: false };
  const server = createServer((request, response) => {
    const context = { bodyShare: new BodyShare('one', quotas, true), signal: new AbortController().signal };
    const read = Object.assign(request, { context }) as unknown as Request;
    seen.request = request;
    seen.body = new RequestBody(read, format, Infinity, undefined);
    response.once('close', () => (seen.isClosed = true));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(headOf('POST /', `Content-Length: ${sent.length}`));
  client.write(sent);
  await until(() => seen.body !== undefined);
  return { server, client, seen, body: seen.body!, request: seen.request! };
}

describe('a body without coding that is not read', () => {
  const PLAIN = { type: 'text/plain', createDecoder: undefined };

  it('ends when its client has gone', async () => {
    const { server, client, seen, body } = await send(randomBytes(2_500_000), PLAIN, new BodyQuotas(MIB));
    await until(() => client.writableLength === 0);
    client.destroy();
    await until(() => seen.isClosed);
    expect(body.destroyed).toBe(false);
    body.destroy();
    server.close();
  });

  it('is read ahead by some MiB, and then as it is read', async () => {
    const sent = randomBytes(12 * MIB);
    const quotas = new BodyQuotas(MIB);
    const { server, client, body, request } = await send(sent, PLAIN, quotas);
    await until(() => request.isPaused());
    expect(body.writableLength).toBeGreaterThan(4 * MIB);
    expect(body.writableLength).toBeLessThan(6 * MIB);
    expect(quotas.bytes.held).toBeGreaterThan(4 * MIB);
    const digest = createHash('sha256');
    for await (const chunk of body) digest.update(chunk as Buffer);
    expect(digest.digest('hex')).toBe(hash('sha256', sent));
    expect(quotas.bytes.held).toBe(0);
    client.destroy();
    server.close();
  });

  it('is not read ahead while a body of its client is, and then at once', async () => {
    const quotas = new BodyQuotas(16 * MIB);
    const sent = randomBytes(2_500_000);
    const [first, second] = [await send(sent, PLAIN, quotas), await send(sent, PLAIN, quotas)];
    await until(() => second.request.isPaused() && first.client.writableLength === 0);
    expect([first.body.share.isFirst, second.body.share.isFirst]).toEqual([true, false]);
    expect(second.body.writableLength).toBeLessThan(MIB / 2);
    second.client.destroy();
    await nextTurn();
    expect(second.seen.isClosed).toBe(false);
    first.body.destroy();
    await until(() => second.seen.isClosed);
    for (const { client, body, server } of [first, second]) {
      body.destroy();
      client.destroy();
      server.close();
    }
  });

  it('is read while its reader holds more than is read ahead, such as a long line', async () => {
    const { server, client, body } = await send(randomBytes(8 * MIB), PLAIN, new BodyQuotas(MIB));
    let bytes = 0;
    for await (const chunk of body) {
      bytes += (chunk as Buffer).length;
      body.share.hold((chunk as Buffer).length);
      // The reader is faster than the client, or slower.
      if (bytes % 3 === 0) await nextTurn();
    }
    expect(bytes).toBe(8 * MIB);
    client.destroy();
    server.close();
  });

  it('is read all the same when its client has no room to read ahead', async () => {
    const quotas = new BodyQuotas(MIB);
    new BodyShare('one', quotas, false).hold(16 * MIB);
    const { server, client, body, request } = await send(TEXT, PLAIN, quotas);
    await until(() => request.isPaused());
    expect(body.writableLength).toBeLessThan(MIB / 2);
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(MIB);
    client.destroy();
    server.close();
  });
});

describe('a compressed body that is not read', () => {
  /** More than Node reads before the connection waits for the reader of the body. */
  const SENT = gzipSync(randomBytes(3_000_000));

  const GZIP = { type: 'text/plain', createDecoder: createGunzip };

  it('ends when its client has gone', async () => {
    const { server, client, seen } = await send(SENT, GZIP, new BodyQuotas(MIB));
    await until(() => client.writableLength === 0);
    client.destroy();
    await until(() => seen.isClosed);
    expect(seen.body!.destroyed).toBe(false);
    seen.body!.destroy();
    server.close();
  });

  it('counts what was read ahead', async () => {
    const quotas = new BodyQuotas(MIB);
    const others = new BodyShare('one', quotas, false);
    // The client may hold 50,000 bytes more, and the body is longer.
    others.hold(16 * MIB - 50_000);
    const { server, client, seen } = await send(SENT, GZIP, quotas);
    const error = await new Promise((resolve) => seen.body!.once('error', resolve));
    expect(error).toBeInstanceOf(TooBusy);
    client.destroy();
    server.close();
  });
});
