import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { aPost } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

const service = await startService({ MAX_BODY_BYTES: '1000000' });
const metrics = async (): Promise<string> => (await service.get('/metrics')).text;
const logged = (id: string) =>
  service.log.find((entry) => entry['request_id'] === id && entry.msg === 'request');

describe('a client that disconnects before it has the response', () => {
  it.each([
    ['a write that waits', 'POST', '/posts/', '/posts/', JSON.stringify(aPost()), 0],
    ['a body that stops', 'PUT', '/posts/1/', '/posts/{id}/', '{"title":', 1_000],
  ])('is logged and counted with the status 499: %s', async (_, method, path, route, body, missing) => {
    const id = `departed-${method}`;
    const unlock = await service.database.lock();
    const socket = connect(service.port, '127.0.0.1');
    const fields = ['Content-Type: application/json', `Content-Length: ${body.length + missing}`];
    socket.write(headOf(`${method} ${path}`, `X-Request-Id: ${id}`, ...fields) + body);
    await service.untilInFlight(1);
    socket.destroy();
    await until(() => logged(id) !== undefined);
    await unlock();
    expect(logged(id)).toMatchObject({ method, status: 499 });
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
    const series = `http_requests_total{method="${method}",route="${route}",status="499"} 1`;
    expect(await metrics()).toContain(series);
  });

  it('has no influence on the metric of body sizes, whatever it announces', async () => {
    const fields = ['Connection: close', 'Content-Type: application/json'];
    const head = headOf('POST /posts/', ...fields, 'Content-Length: 18446744073709551615');
    const received = await rawExchange(service.port, `${head}{}`);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    const sum = /^http_request_size_bytes_sum\{route="\/posts\/"\} (.*)$/m.exec(await metrics())?.[1];
    expect(Number(sum ?? 0)).toBeLessThan(1_000_000);
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
