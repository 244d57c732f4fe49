import { jest } from '@jest/globals';
import type { Request } from 'express';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { headOf } from '../../../test/support/raw-exchange.js';
import { stopTimers } from '../../../test/support/stop-timers.js';
import { until } from '../../../test/support/until.js';
import { TooBusy } from '../../problem-details/problems.js';
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

describe('a compressed body that is not read', () => {
  /** More than Node reads before the connection waits for the reader of the body. */
  const SENT = gzipSync(randomBytes(3_000_000));

  /** Sends the body to a server that reads none of it. */
  async function send(quotas: BodyQuotas) {
    const seen: { body?: RequestBody; isClosed: boolean } = { isClosed: false };
    const server = createServer((request, response) => {
      const context = { bodyShare: new BodyShare('one', quotas, true), signal: new AbortController().signal };
      const format = { type: 'text/plain', createDecoder: createGunzip };
      const read = Object.assign(request, { context }) as unknown as Request;
      seen.body = new RequestBody(read, format, Infinity, undefined);
      response.once('close', () => (seen.isClosed = true));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(headOf('POST /', `Content-Length: ${SENT.length}`));
    client.write(SENT);
    await until(() => seen.body !== undefined);
    return { server, client, seen };
  }

  it('ends when its client has gone', async () => {
    const { server, client, seen } = await send(new BodyQuotas(MIB));
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
    const { server, client, seen } = await send(quotas);
    const error = await new Promise((resolve) => seen.body!.once('error', resolve));
    expect(error).toBeInstanceOf(TooBusy);
    client.destroy();
    server.close();
  });
});
