import { connect } from 'node:net';
import { aPost } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';

const service = await startService({ MAX_BODY_BYTES: '1000000' });

const POST_BODY = JSON.stringify(aPost());
const JSON_BODY = ['Content-Type: application/json', `Content-Length: ${POST_BODY.length}`];
const JSON_FIELDS = ['Content-Type: application/json', 'Connection: close'];
/** The head of a POST whose body is framed by these fields. */
const framedBy = (...fields: string[]): string => headOf('POST /posts/', ...JSON_FIELDS, ...fields);
const CHUNKED = 'Transfer-Encoding: chunked';
const NO_CHUNK = '0\r\n\r\n';
const SMUGGLED = headOf('DELETE /posts/1/', 'Connection: close');

/** The statuses of the responses to these bytes: `201 400`. */
async function statusesOf(bytes: string, port = service.port): Promise<string> {
  const responses = (await rawExchange(port, bytes)).match(/HTTP\/1\.1 \d+/g) ?? [];
  return responses.map((line) => line.split(' ')[1]).join(' ');
}

describe('malformed requests', () => {
  it.each([
    ['garbage', '\u0000\u0001\u0002\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a bad chunk size', `${framedBy(CHUNKED)}zz\r\n{}\r\n0\r\n\r\n`],
    ['two lengths', `${framedBy('Content-Length: 2', 'Content-Length: 3')}{}x`],
    ['a length and chunks', framedBy('Content-Length: 5', CHUNKED) + NO_CHUNK + SMUGGLED],
    ['an unknown transfer coding', framedBy('Transfer-Encoding: xchunked') + NO_CHUNK + SMUGGLED],
    ['a space before the colon', headOf('GET /posts/', 'Connection: close', 'Content-Length : 5')],
    ['a bare line feed in a field', headOf('GET /posts/', 'Connection: close', 'X: a\nY: b')],
    ['a negative length', framedBy('Content-Length: -1')],
  ])('end with a 400 and a closed connection: %s', async (_, bytes) => {
    await service.create();
    const before = await service.count();
    expect(await statusesOf(bytes)).toBe('400');
    expect(await service.count()).toBe(before);
  });
});

describe('a request with many header fields', () => {
  it('has all of them read', async () => {
    const post = await service.create();
    const many = Array.from({ length: 2_500 }, (_, index) => `X${index}: 1`);
    const stale = headOf(`DELETE ${post.path}`, 'Connection: close', ...many, 'If-Match: "stale"');
    expect(stale.length).toBeLessThan(32_768);
    expect(await rawExchange(service.port, stale)).toMatch(/^HTTP\/1\.1 412 /);
    expect((await service.get(post.path)).status).toBe(200);
  });
});

describe('a transfer coding besides chunked', () => {
  it('is refused with 501', async () => {
    const before = await service.count();
    const { line, body } = parseRawResponse(
      await rawExchange(service.port, framedBy('Transfer-Encoding: gzip, chunked') + NO_CHUNK),
    );
    expect(line).toBe('HTTP/1.1 501 Not Implemented');
    expect(JSON.parse(body)).toMatchObject({ code: 'not-implemented' });
    expect(await service.count()).toBe(before);
  });
});

describe('a request with an unusual Host or HTTP version', () => {
  const ending = 'Connection: close\r\n\r\n';
  const TWO_HOSTS = `GET /posts/ HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n${ending}`;

  it.each<[string, string, string]>([
    ['two Host fields', TWO_HOSTS, '400'],
    ['two Host fields of HTTP/1.0', `GET / HTTP/1.0\r\nHost: localhost\r\nhOST: evil\r\n${ending}`, '400'],
    ['an empty and another Host', `GET / HTTP/1.1\r\nHost:\r\nHost: localhost\r\n${ending}`, '400'],
    ['two Host fields at no path', `GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n${ending}`, '400'],
    ['no Host', `GET /posts/ HTTP/1.1\r\n${ending}`, '400'],
    ['an empty Host on POST', `POST /posts/ HTTP/1.1\r\nHost:\r\nContent-Length: 0\r\n${ending}`, '400'],
    ['an empty Host on DELETE', `DELETE /posts/1/ HTTP/1.1\r\nHost: \r\n${ending}`, '400'],
    ['an empty Host on a read', `GET /posts/ HTTP/1.1\r\nHost:\r\n${ending}`, '200'],
    ['no Host, as HTTP/1.0 allows', `GET /posts/ HTTP/1.0\r\n${ending}`, '200'],
    ['HTTP/0.9', 'GET /posts/\r\n\r\n', '400'],
    ['HTTP/0.9 in the syntax of HTTP/1', `GET /posts/ HTTP/0.9\r\nHost: localhost\r\n${ending}`, '400'],
    ['HTTP/2.0 in the syntax of HTTP/1', `GET /posts/ HTTP/2.0\r\nHost: localhost\r\n${ending}`, '400'],
  ])('gets exactly one response: %s', async (_, bytes, status) => {
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
  it('get their own responses, in order', async () => {
    const { path } = await service.create({ title: 'pipelined' });
    const requests = [
      headOf(`GET ${path}`),
      headOf('GET /nowhere'),
      `${headOf('POST /posts/', 'Content-Type: application/json', 'Content-Length: 25')}{"title":"a","body":"b"} `,
      headOf('GET /health/live', 'Connection: close'),
    ];
    expect(await statusesOf(requests.join(''))).toBe('200 404 201 200');
  });

  it('are dropped when the client disconnects before their turn', async () => {
    const lines = `${JSON.stringify(aPost({ body: 'x'.repeat(15_000) }))}\n`.repeat(800);
    expect((await service.import(lines)).status).toBe(201);
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

describe('invalid data after a complete request', () => {
  const whole = (...fields: string[]): string => headOf('POST /posts/', ...fields) + POST_BODY;
  it.each([
    ['garbage', whole(...JSON_BODY) + 'no request\r\n\r\n'],
    ['a request that must not follow', whole(...JSON_BODY, 'Connection: close') + whole(...JSON_BODY)],
    ['a header that is too large', `${whole(...JSON_BODY)}GET / HTTP/1.1\r\nX: ${'x'.repeat(40_000)}`],
  ])('does not affect the response to that request: %s', async (_, bytes) => {
    const before = await service.count();
    expect(await statusesOf(bytes)).toBe('201');
    expect(await service.count()).toBe(before + 1);
  });
});

describe('a refused body', () => {
  it('is not read without end', async () => {
    const socket = connect(service.port, '127.0.0.1');
    let sentBytes = 0;
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve()).on('error', () => {});
    });
    socket.write(headOf('POST /posts/', 'Content-Type: text/plain', 'Content-Length: 100000000000'));
    const chunk = Buffer.alloc(65_536);
    const send = (): void => {
      while (!socket.destroyed && sentBytes < 4_000_000_000) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) {
          socket.once('drain', send);
          return;
        }
      }
    };
    send();
    await closed;
    expect(sentBytes).toBeLessThan(4_000_000_000);
  });
});
