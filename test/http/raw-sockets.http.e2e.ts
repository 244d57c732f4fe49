import { jest } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { PipelinedRequests } from '../../src/http/server/pipelined-requests.js';
import { aPost } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService({ MAX_BODY_BYTES: '1000000' });

/** The head of a POST whose body is framed by these fields. */
const framedBy = (...fields: string[]): string =>
  headOf('POST /posts/', 'Content-Type: application/json', 'Connection: close', ...fields);
const CHUNKED = 'Transfer-Encoding: chunked';
const NO_CHUNK = '0\r\n\r\n';
const SMUGGLED = headOf('DELETE /posts/1/', 'Connection: close');

/** The statuses of the responses to these bytes: `201 400`. */
async function statusesOf(bytes: string, port = service.port): Promise<string> {
  const responses = (await rawExchange(port, bytes)).match(/HTTP\/1\.1 \d+/g) ?? [];
  return responses.map((line) => line.split(' ')[1]).join(' ');
}

const metrics = async (): Promise<string> => (await service.get('/metrics')).text;
const logged = (id: string) =>
  service.log.find((entry) => entry['request_id'] === id && entry.msg === 'request');

describe('a request that Node’s parser refuses', () => {
  // Both framings of a smuggled request. The large header fits into one read: otherwise, closing the connection with
  // unread data would reset it.
  it.each([
    ['400 Bad Request', framedBy('Content-Length: 5', CHUNKED) + NO_CHUNK + SMUGGLED],
    ['400 Bad Request', framedBy('Transfer-Encoding: xchunked') + NO_CHUNK + SMUGGLED],
    ['431 Request Header Fields Too Large', headOf('GET /', `X: ${'x'.repeat(40_000)}`)],
  ])('gets a status without a body, and a closed connection: %s', async (status, bytes) => {
    expect(await rawExchange(service.port, bytes)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  });
});

describe('an idle connection', () => {
  it('is kept longer than proxies keep theirs, which is 60 s, so that none is closed while a request is on its way', async () => {
    const agent = new Agent({ keepAlive: true });
    const { headers } = await service.request('GET', '/health/live', { agent });
    expect(headers['keep-alive']).toBe('timeout=65');
    agent.destroy();
  });
});

describe('a request with many header fields', () => {
  it('has all of them read', async () => {
    const post = await service.create();
    const many = Array.from({ length: 2_500 }, (_, index) => `X${index}: 1`);
    const stale = headOf(`DELETE ${post.path}`, 'Connection: close', ...many, 'If-Match: "stale"');
    expect(await statusesOf(stale)).toBe('412');
    expect((await service.get(post.path)).status).toBe(200);
  });
});

describe('a request with an unusual Host, HTTP version or transfer coding', () => {
  const ending = 'Connection: close\r\n\r\n';
  const TWO_HOSTS = `GET /posts/ HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\n${ending}`;

  it.each([
    ['an empty and another Host', '400', `GET /x HTTP/1.1\r\nHost:\r\nHost: localhost\r\n${ending}`],
    ['an empty Host on a write', '400', `DELETE /posts/1/ HTTP/1.1\r\nHost: \r\n${ending}`],
    ['an empty Host on a read', '200', `GET /posts/ HTTP/1.1\r\nHost:\r\n${ending}`],
    ['no Host, as HTTP/1.0 allows', '200', `GET /posts/ HTTP/1.0\r\n${ending}`],
    ['a coding besides chunked', '400', framedBy('Transfer-Encoding: gzip, chunked') + NO_CHUNK],
  ])('gets exactly one response: %s', async (_, status, bytes) => {
    expect(await statusesOf(bytes)).toBe(status);
  });

  it('does not count towards the rate limit when it is refused', async () => {
    const { port } = await startService({ RATE_LIMIT: '1' });
    const good = `GET /posts/ HTTP/1.1\r\nHost: localhost\r\n${ending}`;
    const statuses = [];
    for (const bytes of [TWO_HOSTS, TWO_HOSTS, good, good]) statuses.push(await statusesOf(bytes, port));
    expect(statuses).toEqual(['400', '400', '200', '429']);
  });

  it('gets a problem that names the repeated Host', async () => {
    const { headers, body } = parseRawResponse(await rawExchange(service.port, TWO_HOSTS));
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    const fault = { detail: 'The field must be sent once.', code: 'repeated', header: 'Host' };
    expect(JSON.parse(body)).toMatchObject({ errors: [fault] });
  });
});

describe('pipelined requests', () => {
  const GET = headOf('GET /posts/?limit=1');
  const LAST = headOf('GET /', 'Connection: close');

  it('are all answered, up to the number that may wait for their turn', async () => {
    expect(await statusesOf(GET.repeat(32) + LAST)).toBe(Array(33).fill('200').join(' '));
  });

  it('end the connection beyond it, because what waits takes memory, and are not parsed although they have arrived', async () => {
    const waiting = jest.spyOn(PipelinedRequests.prototype, 'wait');
    const received = await rawExchange(service.port, GET.repeat(1_000) + LAST).catch(() => '');
    expect(received.match(/HTTP\/1\.1 200/g) ?? []).not.toHaveLength(1_001);
    expect(waiting.mock.calls.length).toBeGreaterThan(32);
    expect(waiting.mock.calls.length).toBeLessThan(100);
    waiting.mockRestore();
    await service.untilInFlight(0);
    expect((await service.get('/posts/?limit=1')).status).toBe(200);
  });

  it('behind one that asks for an upgrade are not answered, and the connection is closed', async () => {
    const upgrade = headOf('GET /posts/?limit=1', 'Connection: Upgrade', 'Upgrade: h2c');
    const received = await rawExchange(service.port, upgrade + GET.repeat(2));
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
    expect(received).toMatch(/^Connection: close\r$/m);
  });
});

describe('a refused body', () => {
  it('is discarded, so that the next request of its connection is answered', async () => {
    const chunk = 'x'.repeat(4_000_000);
    const head = headOf('POST /posts/', 'Content-Type: application/json', CHUNKED);
    const refused = `${head}${chunk.length.toString(16)}\r\n${chunk}\r\n${NO_CHUNK}`;
    expect(await statusesOf(refused + headOf('GET /', 'Connection: close'))).toBe('413 200');
  });

  it.each([
    ['an import with faults in its first lines', 'application/x-ndjson', 'HTTP/1.1 400 Bad Request'],
    ['a body of another type', 'text/plain', 'HTTP/1.1 415 Unsupported Media Type'],
  ])('is read, for clients that read only when they have sent all of it: %s', async (_, type, status) => {
    const body = '{}\n'.repeat(15_000_000);
    const socket = connect(service.port, '127.0.0.1').pause();
    socket.write(headOf('POST /posts/', `Content-Type: ${type}`, `Content-Length: ${body.length}`));
    await new Promise((resolve) => socket.write(body, resolve));
    const [received] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(parseRawResponse(received.toString()).line).toBe(status);
    socket.destroy();
  });

  it('is not read without end', async () => {
    // It reads the response: otherwise, Node does not report the end of the connection.
    const socket = connect(service.port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    socket.write(headOf('POST /posts/', 'Content-Type: text/plain', 'Content-Length: 100000000000'));
    const chunk = Buffer.alloc(65_536);
    const send = (): void => {
      while (socket.write(chunk));
    };
    socket.on('drain', send);
    send();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(socket.bytesWritten).toBeLessThan(100_000_000_000);
  });
});

describe('a client that disconnects before it has the response', () => {
  it.each([
    ['a write that waits', 'POST', '/posts/', '/posts/', JSON.stringify(aPost()), 0],
    ['a body that stops', 'PUT', '/posts/1/', '/posts/{id}/', '{"title":', 1_000],
  ])('is logged and counted with the status 499: %s', async (_, method, path, route, body, missing) => {
    const id = `departed-${method}`;
    const faults = () => service.log.filter(({ level }) => level === 'error').length;
    const before = faults();
    const unlock = await service.database.lock();
    const socket = connect(service.port, '127.0.0.1');
    const fields = ['Content-Type: application/json', `Content-Length: ${body.length + missing}`];
    socket.write(headOf(`${method} ${path}`, `X-Request-Id: ${id}`, ...fields) + body);
    await service.untilInFlight(1);
    socket.destroy();
    await until(() => logged(id) !== undefined);
    await unlock();
    expect(logged(id)).toMatchObject({ method, status: 499 });
    expect(faults()).toBe(before);
    const series = `posts_http_requests_total{method="${method}",route="${route}",status="499"} `;
    expect(await metrics()).toContain(series);
  });
});

describe('a refusal before the body is read', () => {
  it.each([
    [401, 'POST /posts/', `Authorization: Bearer psa_${'0'.repeat(43)}`],
    [404, 'POST /nothing', 'Accept: */*'],
    [413, 'POST /posts/', 'Content-Type: application/json'],
    [415, 'POST /posts/', 'Content-Type: image/png'],
  ])('reaches a client that sends its whole body first: %s', async (status, line, field) => {
    const socket = connect(service.port, '127.0.0.1').pause();
    const body = Buffer.alloc(8_000_000, 'x');
    socket.write(headOf(line, 'Connection: close', field, `Content-Length: ${body.length}`));
    // As Python's urllib does: it reads nothing before it has sent everything.
    await new Promise<void>((resolve, reject) => {
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    const { line: statusLine, headers, body: problem } = parseRawResponse(await text(socket));
    expect(statusLine).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(headers).toMatchObject({ connection: 'close', 'content-type': 'application/problem+json' });
    expect(JSON.parse(problem)).toMatchObject({ status });
  });

  it.each([
    ['with Expect: 100-continue', ['Expect: 100-continue'], ''],
    ['after its first byte', [], '{'],
  ])('does not wait for a body that the client does not send: %s', async (_, fields, body) => {
    const head = headOf('POST /nothing', 'Connection: close', 'Content-Length: 1000000', ...fields);
    expect(await rawExchange(service.port, head + body)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
