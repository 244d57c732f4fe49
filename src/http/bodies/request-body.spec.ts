import { jest } from '@jest/globals';
import type { Request } from 'express';
import { createHash, hash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { headOf } from '../../../test/support/raw-exchange.js';
import { stopTimers } from '../../../test/support/stop-timers.js';
import { until } from '../../../test/support/until.js';
import { TooBusy } from '../../problem-details/problems.js';
import { type TemporaryFile, TemporaryFiles } from '../../temporary-files/temporary-files.js';
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
  const begin = (client: string, isImport = false): RequestBody => {
    const context = {
      bodyShare: new BodyShare(client, quotas, isImport),
      signal: new AbortController().signal,
    };
    const request = Object.assign(new PassThrough(), { context }) as unknown as Request;
    const format = { type: 'text/plain', createDecoder: createGunzip };
    const body = new RequestBody(request, format, 16 * MIB, undefined, undefined);
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
    const bodies = ['one', 'one', 'one', 'one', 'one', 'other'].map((client) => begin(client));
    for (const body of bodies) expect((await body.readAll()).equals(TEXT)).toBe(true);
    expect(seen.most).toBe(2);
    expect(decoding.held).toBe(0);
  });

  it('waits for its turn 6 s, or as long as the lines of another import take', async () => {
    const { begin } = setUp();
    const first = begin('one', true);
    await until(() => first.readableLength > 0);
    const [second, whole] = [begin('one', true), begin('one')];
    await nextTurn();
    jest.advanceTimersByTime(10_000);
    await until(() => whole.destroyed);
    expect(whole.errored).toBeInstanceOf(TooBusy);
    for (const body of [first, second]) expect((await body.readAll()).equals(TEXT)).toBe(true);
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

const folder = mkdtempSync(join(tmpdir(), 'posts-bodies-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Sends the body of an import to a server that reads none of it. @param createDecoder for its content coding */
async function send(sent: Buffer, createDecoder: BodyFormat['createDecoder'], file = openFile()) {
  const quotas = new BodyQuotas(MIB);
  const written = jest.spyOn(file, 'append');
  const closed = jest.spyOn(file, 'close');
  const seen: { body?: RequestBody; isClosed: boolean } = { isClosed: false };
  const server = createServer((request, response) => {
    const context = { bodyShare: new BodyShare('one', quotas, true), signal: new AbortController().signal };
    const read = Object.assign(request, { context }) as unknown as Request;
    seen.body = new RequestBody(read, { type: 'text/plain', createDecoder }, Infinity, undefined, file);
    response.once('close', () => (seen.isClosed = true));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(headOf('POST /', `Content-Length: ${sent.length}`));
  client.write(sent);
  await until(() => seen.body !== undefined);
  const end = (): void => {
    seen.body!.destroy();
    client.destroy();
    server.close();
  };
  return { client, seen, body: seen.body!, written, closed, end };
}

const openFile = (): TemporaryFile =>
  new TemporaryFiles({ database: { kind: 'sqlite', path: join(folder, 'posts.sqlite') } }).open('one');

/** More than a connection holds. */
const LARGE = randomBytes(16 * MIB);

describe('the body of an import whose reader is busy', () => {
  it.each([
    ['without coding', LARGE, undefined],
    ['compressed', gzipSync(LARGE, { level: 0 }), createGunzip],
  ])('ends when its client has gone, however much of it waits: %s', async (_, sent, createDecoder) => {
    const { client, seen, body, written, end } = await send(sent, createDecoder);
    await until(() => client.writableLength === 0);
    client.destroy();
    await until(() => seen.isClosed);
    expect(body.destroyed).toBe(false);
    expect(written.mock.calls.length).toBeGreaterThan(50);
    end();
  });

  it.each([
    ['without coding', LARGE, undefined],
    ['compressed', gzipSync(LARGE, { level: 0 }), createGunzip],
  ])('is whole and in order, from memory and from the disk: %s', async (_, sent, createDecoder) => {
    const { body, written, closed, end } = await send(sent, createDecoder);
    const digest = createHash('sha256');
    let chunks = 0;
    for await (const chunk of body) {
      digest.update(chunk as Buffer);
      chunks += 1;
      // At first slower than the client, then faster, and so on.
      if (chunks % 100 < 20) await sleep(20);
    }
    expect(digest.digest('hex')).toBe(hash('sha256', LARGE));
    expect(written).toHaveBeenCalled();
    await until(() => closed.mock.calls.length === 1);
    end();
  });

  it('fails when it cannot be kept on the disk', async () => {
    const file = openFile();
    jest.spyOn(file, 'append').mockImplementation(() => Promise.reject(new TooBusy()));
    const { body, closed, end } = await send(LARGE, undefined, file);
    await until(() => body.errored !== null);
    expect(body.errored).toBeInstanceOf(TooBusy);
    await until(() => closed.mock.calls.length === 1);
    end();
  });

  it('needs no file while it is short', async () => {
    const { body, written, end } = await send(randomBytes(200_000), undefined);
    let bytes = 0;
    await sleep(100);
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(200_000);
    expect(written).not.toHaveBeenCalled();
    end();
  });
});
