import { jest } from '@jest/globals';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { stopTimers } from '../../../test/support/stop-timers.js';
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

beforeEach(() => stopTimers());
afterEach(() => {
  jest.useRealTimers();
});

describe('RequestBody', () => {
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
