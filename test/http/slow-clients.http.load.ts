import { jest } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TemporaryFile } from '../../src/temporary-files/temporary-files.js';
import { aPost, linesToWaitFor } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';

const service = await startService({ MAX_BODY_BYTES: '100000' });

describe('a client that does nothing while it is its turn', () => {
  const server = service.app.getHttpServer();
  expect([server.headersTimeout, server.timeout]).toEqual([20_000, 30_000]);
  /** Time in which a busy machine lets a client send what it has. */
  const IDLE_MS = 2_000;
  beforeEach(() => (server.timeout = IDLE_MS));
  afterEach(() => (server.timeout = 30_000));

  it('gets 408 when it does not send its body', async () => {
    const fields = ['Content-Type: application/json', 'Content-Length: 100', 'Connection: close'];
    const raw = await rawExchange(service.port, `${headOf('POST /posts/', ...fields)}{`);
    const { line, body } = parseRawResponse(raw);
    expect(line).toBe('HTTP/1.1 408 Request Timeout');
    expect(JSON.parse(body)).toMatchObject({ code: 'request-timeout' });
  });

  it('waits as long as the service works, with the second of two pipelined requests too', async () => {
    const unlock = await service.database.lock();
    const body = JSON.stringify(aPost());
    const fields = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'];
    const requests = headOf('GET /posts/?limit=1') + headOf('POST /posts/', ...fields) + body;
    const received = rawExchange(service.port, requests);
    await sleep(2.5 * IDLE_MS);
    await unlock();
    expect((await received).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 201']);
  });

  it('waits as long as the service is busy with what it has read', async () => {
    const append = Reflect.get(TemporaryFile.prototype, 'append');
    const appended = jest.spyOn(TemporaryFile.prototype, 'append');
    appended.mockImplementationOnce(async function (this: TemporaryFile, bytes) {
      await sleep(2.5 * IDLE_MS);
      await append.call(this, bytes);
    });
    expect((await service.import(`${JSON.stringify(aPost())}\n`.repeat(50_000))).status).toBe(201);
  });

  it('is disconnected when it does not read a response', async () => {
    server.timeout = 30_000;
    expect((await service.import(linesToWaitFor())).status).toBe(201);
    server.timeout = IDLE_MS;
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write(headOf('GET /posts/', 'Accept: application/x-ndjson'));
    await service.untilInFlight(1);
    await service.untilInFlight(0);
    expect(socket.bytesRead).toBeLessThan(linesToWaitFor().length);
    socket.destroy();
  });
});

const POST_BODY = JSON.stringify(aPost());
const JSON_BODY = ['Content-Type: application/json', `Content-Length: ${POST_BODY.length}`];

describe('pipelined requests', () => {
  it('are dropped when the client disconnects before their turn', async () => {
    expect((await service.import(linesToWaitFor())).status).toBe(201);
    const before = await service.count();
    const socket = connect(service.port, '127.0.0.1').pause();
    // The client does not read the export, so its response never ends.
    socket.write(headOf('GET /posts/', 'Accept: application/x-ndjson'));
    socket.write(`${headOf('POST /posts/', ...JSON_BODY)}${POST_BODY}`.repeat(3));
    await service.untilInFlight(1);
    socket.resetAndDestroy();
    await service.untilInFlight(0);
    expect(await service.count()).toBe(before);
  });
});
