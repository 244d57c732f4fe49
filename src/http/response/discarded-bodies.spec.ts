import { jest } from '@jest/globals';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../turns/index.js';
import { DiscardedBodies } from './discarded-bodies.js';

const MIB = 1_048_576;
const CHUNK = Buffer.alloc(65_536);

/** A body of which everything has arrived. @returns how much of it was read */
function arrived(chunks: number) {
  const body = new PassThrough({ highWaterMark: 64 * MIB });
  for (let sent = 0; sent < chunks; sent += 1) body.write(CHUNK);
  const request = Object.assign(body, { context: { client: { address: '192.0.2.1' } } });
  const readBytes = (): number => chunks * CHUNK.length - body.readableLength - body.writableLength;
  return { request: request as unknown as Request, readBytes };
}

// test/http/raw-sockets.http.e2e.ts has bodies that are read to their end.
describe('the rest of a body that is not needed', () => {
  it('is read a chunk in a turn of the event loop', async () => {
    const { request, readBytes } = arrived(100);
    new DiscardedBodies(new Turns()).discardAfterResponse(request, new PassThrough() as unknown as Socket);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(readBytes()).toBeGreaterThan(2 * CHUNK.length);
    expect(readBytes()).toBeLessThanOrEqual(12 * CHUNK.length);
    request.destroy();
  });

  it('is not waited for while its client sends nothing', async () => {
    const { request } = arrived(1);
    Object.assign(request, { socket: { bytesRead: 65_536 } });
    // The longest wait does not end.
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    await new DiscardedBodies(new Turns()).waitForEnd(request);
    clock.mockRestore();
    expect(request.readableEnded).toBe(false);
    request.destroy();
  });
});
