import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { UnsupportedMediaType } from '../../problem-details/problems.js';
import { readBodyFormat } from './body-format.js';

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

describe('readBodyFormat', () => {
  it.each([[{}], [{ 'content-length': '0' }], [{ 'content-type': 'application/json' }]])(
    'finds no body in %j',
    (headers) => {
      expect(readBodyFormat(withHeaders(headers), UNDERSTOOD)).toBeUndefined();
    },
  );

  it.each([[{ 'content-length': '1' }], [{ 'content-length': '0' }], [{ 'transfer-encoding': 'chunked' }]])(
    'finds a JSON body in %j',
    (headers) => {
      const request = withHeaders({ 'content-type': 'application/json', ...headers });
      expect(readBodyFormat(request, UNDERSTOOD)).toEqual({
        type: 'application/json',
        boundary: undefined,
        coding: undefined,
      });
    },
  );

  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['application/json; charset=utf8', 'application/json'],
    ['application/json; version=2', 'application/json'],
  ])('accepts the Content-Type %s', (contentType, type) => {
    const request = withHeaders({ 'content-type': contentType, 'content-length': '1' });
    expect(readBodyFormat(request, UNDERSTOOD)).toEqual({ type, boundary: undefined, coding: undefined });
  });

  it('finds the boundary and keeps its upper case', () => {
    const request = withHeaders({
      'content-type': 'multipart/form-data; charset=utf-8; boundary="a B"',
      'content-length': '1',
    });
    expect(readBodyFormat(request, UNDERSTOOD)).toEqual({
      type: 'multipart/form-data',
      boundary: 'a B',
      coding: undefined,
    });
  });

  it.each([
    [undefined, 'A body needs a Content-Type.'],
    ['', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['text/plain', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['application/json; charset=iso-8859-1', 'Only the charset UTF-8 is supported.'],
    ['application/json; charset=""', 'Only the charset UTF-8 is supported.'],
    ['multipart/form-data; boundary=b; charset=latin1', 'Only the charset UTF-8 is supported.'],
  ])('refuses a Content-Type of %j', (contentType, detail) => {
    const request = withHeaders({
      'transfer-encoding': 'chunked',
      ...(contentType !== undefined && { 'content-type': contentType }),
    });
    const problem = thrownBy(() => readBodyFormat(request, UNDERSTOOD));
    expect(problem).toBeInstanceOf(UnsupportedMediaType);
    expect(problem).toMatchObject({ message: detail, headers: { 'Accept-Post': UNDERSTOOD.join(', ') } });
  });

  const withCoding = (coding: string) =>
    withHeaders({ 'content-type': 'application/json', 'content-length': '1', 'content-encoding': coding });

  it.each([
    ['identity', undefined],
    ['', undefined],
    [' GZip ', 'gzip'],
    ['x-gzip', 'gzip'],
    ['deflate', 'deflate'],
    ['br', 'br'],
  ])('accepts a Content-Encoding of %j', (contentEncoding, coding) => {
    expect(readBodyFormat(withCoding(contentEncoding), UNDERSTOOD)?.coding).toBe(coding);
  });

  it.each(['zstd', 'compress', 'gzip, br', 'gzip;q=1', '*'])('refuses a Content-Encoding of %j', (coding) => {
    const problem = thrownBy(() => readBodyFormat(withCoding(coding), UNDERSTOOD));
    expect(problem).toBeInstanceOf(UnsupportedMediaType);
    expect(problem).toMatchObject({
      message: 'Supported in Content-Encoding: one of gzip, deflate, br.',
      headers: { 'Accept-Post': UNDERSTOOD.join(', '), 'Accept-Encoding': 'gzip, deflate, br' },
    });
  });
});
