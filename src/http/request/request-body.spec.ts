import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, IncomingMessage, request as send, type Server } from 'node:http';
import { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { BodyTooLarge, RequestTimedOut, UnsupportedMediaType } from '../../problem-details/problems.js';
import { checkBodyHeaders, readRequestBody, type ReadOptions } from './request-body.js';

const UNDERSTOOD = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

function withHeaders(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
}

describe('checkBodyHeaders', () => {
  it.each([
    [{}],
    [{ 'content-length': '0' }],
    [{ 'content-type': 'application/json' }],
    [{ 'content-type': 'text/plain' }],
    [{ 'content-encoding': 'zstd' }],
  ])('finds no body in %j', (headers) => {
    expect(checkBodyHeaders(withHeaders(headers), UNDERSTOOD)).toBeUndefined();
  });

  it.each([[{ 'content-length': '1' }], [{ 'content-length': '0' }], [{ 'transfer-encoding': 'chunked' }]])(
    'finds a JSON body in %j',
    (headers) => {
      const request = withHeaders({ 'content-type': 'application/json', ...headers });
      expect(checkBodyHeaders(request, UNDERSTOOD)).toEqual({
        type: 'application/json',
        boundary: undefined,
        codings: [],
      });
    },
  );

  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['application/json;charset="UTF-8"', 'application/json'],
    ['application/json; charset=utf8', 'application/json'],
    ['application/json; version=2', 'application/json'],
    ['application/x-www-form-urlencoded; charset=UTF8', 'application/x-www-form-urlencoded'],
    ['multipart/form-data', 'multipart/form-data'],
  ])('accepts the Content-Type %s', (contentType, type) => {
    const request = withHeaders({ 'content-type': contentType, 'content-length': '1' });
    expect(checkBodyHeaders(request, UNDERSTOOD)).toEqual({ type, boundary: undefined, codings: [] });
  });

  it('finds the boundary and keeps its upper case', () => {
    const request = withHeaders({
      'content-type': 'multipart/form-data; charset=utf-8; boundary="a B"',
      'content-length': '1',
    });
    expect(checkBodyHeaders(request, UNDERSTOOD)).toEqual({
      type: 'multipart/form-data',
      boundary: 'a B',
      codings: [],
    });
  });

  it.each([
    [undefined, 'A body needs a Content-Type.'],
    ['', 'The Content-Type is malformed.'],
    ['json', 'The Content-Type is malformed.'],
    ['application/json; charset', 'The Content-Type is malformed.'],
    ['application/json, text/plain', 'The Content-Type is malformed.'],
    ['text/plain', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['application/problem+json', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['multipart/mixed; boundary=b', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['application/json; charset=iso-8859-1', 'Only the charset UTF-8 is supported.'],
    ['application/json; charset=""', 'Only the charset UTF-8 is supported.'],
    ['application/json; charset=utf-16', 'Only the charset UTF-8 is supported.'],
    ['application/x-www-form-urlencoded; charset=us-ascii', 'Only the charset UTF-8 is supported.'],
    ['multipart/form-data; boundary=b; charset=latin1', 'Only the charset UTF-8 is supported.'],
  ])('refuses a Content-Type of %j', (contentType, detail) => {
    const request = withHeaders({
      'transfer-encoding': 'chunked',
      ...(contentType !== undefined && { 'content-type': contentType }),
    });
    const problem = thrownBy(() => checkBodyHeaders(request, UNDERSTOOD));
    expect(problem).toBeInstanceOf(UnsupportedMediaType);
    expect(problem).toMatchObject({ detail, headers: { 'Accept-Post': UNDERSTOOD.join(', ') } });
  });

  it('refuses a body of known length without a Content-Type', () => {
    const request = withHeaders({ 'content-length': '1' });
    expect(thrownBy(() => checkBodyHeaders(request, UNDERSTOOD))).toBeInstanceOf(UnsupportedMediaType);
  });

  it.each([
    ['identity', []],
    ['', []],
    ['GZip', ['gzip']],
    ['x-gzip', ['gzip']],
    ['deflate', ['deflate']],
    ['br', ['br']],
    ['gzip,br', ['gzip', 'br']],
    [' gzip , identity,, deflate', ['gzip', 'deflate']],
  ])('accepts a Content-Encoding of %j', (contentEncoding, codings) => {
    const request = withHeaders({
      'content-type': 'application/json',
      'content-length': '1',
      'content-encoding': contentEncoding,
    });
    expect(checkBodyHeaders(request, UNDERSTOOD)?.codings).toEqual(codings);
  });

  it.each([['zstd'], ['compress'], ['gzip, zstd'], ['gzip;q=1'], ['gzip br'], ['br, br, br'], ['*']])(
    'refuses a Content-Encoding of %j',
    (contentEncoding) => {
      const request = withHeaders({
        'content-type': 'application/json',
        'content-length': '1',
        'content-encoding': contentEncoding,
      });
      const problem = thrownBy(() => checkBodyHeaders(request, UNDERSTOOD));
      expect(problem).toBeInstanceOf(UnsupportedMediaType);
      expect(problem).toMatchObject({
        detail: 'Supported in Content-Encoding: gzip, deflate, br, at most 2 of them.',
        headers: { 'Accept-Post': UNDERSTOOD.join(', '), 'Accept-Encoding': 'gzip, deflate, br' },
      });
    },
  );
});

describe('readRequestBody', () => {
  const servers: Server[] = [];

  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Sends a request to a server, and reads its body like a route that accepts the three types. */
  async function exchange(
    headers: Record<string, string>,
    body: string | Buffer | undefined,
    options: Partial<ReadOptions> = {},
  ): Promise<unknown> {
    const server = createServer().listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const client = send({ port: portOf(server), method: 'POST', headers });
    client.on('error', () => undefined);
    if (body === undefined) client.flushHeaders();
    else client.end(body);
    const [request] = await Promise.race([once(server, 'request'), once(server, 'checkContinue')]);
    return readRequestBody(request, checkBodyHeaders(request, UNDERSTOOD), {
      maxBodyBytes: 1_000,
      idleTimeoutMs: 5_000,
      forms: { numberFields: ['id'], emptyMeansAbsent: ['id', 'pub_date'] },
      ...options,
    });
  }

  const JSON_BODY = '{"id":7,"title":"Héllo","body":""}';
  const FIELDS = { id: 7, title: 'Héllo', body: '' };
  const MULTIPART_BODY = [
    '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\n7\r\n',
    '--b\r\nContent-Disposition: form-data; name="pub_date"\r\n\r\n\r\n',
    '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nHéllo\r\n',
    '--b\r\nContent-Disposition: form-data; name="body"\r\n\r\n\r\n--b--',
  ].join('');

  it.each([
    ['application/json', JSON_BODY],
    ['application/json; charset=utf-8', JSON_BODY],
    ['application/x-www-form-urlencoded', 'id=7&pub_date=&title=H%C3%A9llo&body='],
    ['multipart/form-data; boundary=b', MULTIPART_BODY],
  ])('reads the same fields from %s', async (type, body) => {
    const expected = { kind: 'fields', fields: FIELDS };
    expect(await exchange({ 'Content-Type': type }, body)).toEqual(expected);
    const chunked = { 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
    expect(await exchange(chunked, body)).toEqual(expected);
    const compressed = { 'Content-Type': type, 'Content-Encoding': 'gzip, br' };
    expect(await exchange(compressed, brotliCompressSync(gzipSync(body)))).toEqual(expected);
  });

  it('finds no body in an empty request without a Content-Type', async () => {
    expect(await exchange({}, '')).toEqual({ kind: 'absent' });
  });

  it.each([
    ['application/json', { kind: 'faulty', faults: [expect.objectContaining({ pointer: '' })] }],
    ['application/x-www-form-urlencoded', { kind: 'fields', fields: {} }],
    [
      'multipart/form-data; boundary=b',
      { kind: 'faulty', faults: [expect.objectContaining({ pointer: '' })] },
    ],
  ])('reads an empty body of %s as present', async (type, expected) => {
    expect(await exchange({ 'Content-Type': type, 'Content-Length': '0' }, '')).toEqual(expected);
    expect(await exchange({ 'Content-Type': type, 'Transfer-Encoding': 'chunked' }, '')).toEqual(expected);
  });

  it.each([
    ['application/json', '[1]', '', 'not_an_object', 'The body must be a JSON object, not an array.'],
    ['application/x-www-form-urlencoded', 'title=%E9', '/title', 'not_utf8', 'The value is not UTF-8.'],
    [
      'multipart/form-data; boundary=b',
      'x',
      '',
      'malformed_form',
      'The body does not contain the boundary that Content-Type names.',
    ],
  ])('returns the faults of %s', async (type, body, pointer, code, detail) => {
    const expected = { kind: 'faulty', faults: [{ detail, code, pointer }] };
    expect(await exchange({ 'Content-Type': type }, body)).toEqual(expected);
  });

  it('returns corrupt compressed data as a fault', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    expect(await exchange(headers, gzipSync(JSON_BODY).subarray(0, 20))).toEqual({
      kind: 'faulty',
      faults: [expect.objectContaining({ pointer: '' })],
    });
  });

  it('returns a missing boundary as a fault before it reads the body', async () => {
    const onReadStart = jest.fn();
    const headers = { 'Content-Type': 'multipart/form-data', 'Content-Length': '10' };
    expect(await exchange(headers, undefined, { onReadStart })).toEqual({
      kind: 'faulty',
      faults: [
        {
          detail: 'multipart/form-data needs a boundary of 1 to 70 characters.',
          code: 'malformed',
          header: 'Content-Type',
        },
      ],
    });
    expect(onReadStart).not.toHaveBeenCalled();
  });

  it('rejects a body beyond the limit before it reads the body', async () => {
    const onReadStart = jest.fn();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1001', Expect: '100-continue' };
    await expect(exchange(headers, undefined, { onReadStart })).rejects.toEqual(new BodyTooLarge(1_000));
    expect(onReadStart).not.toHaveBeenCalled();
  });

  it('calls onReadStart once when it reads a body', async () => {
    const onReadStart = jest.fn();
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '10', Expect: '100-continue' };
    const reading = exchange(headers, undefined, { onReadStart, idleTimeoutMs: 50 });
    await expect(reading).rejects.toBeInstanceOf(RequestTimedOut);
    expect(onReadStart).toHaveBeenCalledTimes(1);
  });

  it('fails on a media type that it does not read', async () => {
    const request = withHeaders({});
    const format = { type: 'application/x-ndjson', boundary: undefined, codings: [] };
    request.push('{}');
    request.push(null);
    const options = {
      maxBodyBytes: 1_000,
      idleTimeoutMs: 50,
      forms: { numberFields: [], emptyMeansAbsent: [] },
    };
    await expect(readRequestBody(request, format, options)).rejects.toThrow('application/x-ndjson');
  });
});
