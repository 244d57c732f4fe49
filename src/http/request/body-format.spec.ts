import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { UnsupportedMediaType } from '../../problem-details/problems.js';
import { readBodyFormat } from './body-format.js';

const UNDERSTOOD = ['application/json', 'multipart/form-data'];

const formatOf = (headers: Record<string, string>) =>
  readBodyFormat(Object.assign(new IncomingMessage(new Socket()), { headers }), UNDERSTOOD);

/** The refusal of a request. */
const refusal = (message: string, fields = {}) =>
  expect.objectContaining({
    constructor: UnsupportedMediaType,
    message,
    headers: { 'Accept-Post': UNDERSTOOD.join(', '), ...fields },
  }) as Error;

const JSON_BODY = { 'content-type': 'application/json', 'content-length': '1' };

describe('readBodyFormat', () => {
  it.each<Record<string, string>>([{}, { 'content-length': '0' }, { 'content-type': 'application/json' }])(
    'finds no body in %j',
    (headers) => expect(formatOf(headers)).toBeUndefined(),
  );

  it.each<Record<string, string>>([
    { 'content-length': '1' },
    { 'content-length': '0' },
    { 'transfer-encoding': 'chunked' },
  ])('finds a JSON body in %j', (headers) => {
    const format = { type: 'application/json', coding: undefined };
    expect(formatOf({ 'content-type': 'application/json', ...headers })).toEqual(format);
  });

  it.each([
    ['Application/JSON; charset=utf8; version=2', 'application/json'],
    ['multipart/form-data; charset=utf-8; boundary="a B"', 'multipart/form-data'],
  ])('accepts the Content-Type %s', (contentType, type) => {
    expect(formatOf({ ...JSON_BODY, 'content-type': contentType })).toMatchObject({ type });
  });

  it.each([
    [undefined, 'A body needs a Content-Type.'],
    ['', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['text/plain', `Understood here: ${UNDERSTOOD.join(', ')}.`],
    ['application/json; charset=""', 'Only the charset UTF-8 is supported.'],
    ['multipart/form-data; boundary=b; charset=latin1', 'Only the charset UTF-8 is supported.'],
  ])('refuses a Content-Type of %j', (type, detail) => {
    const headers = { 'transfer-encoding': 'chunked', ...(type !== undefined && { 'content-type': type }) };
    expect(() => formatOf(headers)).toThrow(refusal(detail));
  });

  it.each([
    ['identity', undefined],
    [' GZip ', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
  ])('accepts a Content-Encoding of %j', (contentEncoding, coding) => {
    expect(formatOf({ ...JSON_BODY, 'content-encoding': contentEncoding })?.coding).toBe(coding);
  });

  it.each(['zstd', 'gzip, br', 'gzip;q=1', '*'])('refuses a Content-Encoding of %j', (coding) => {
    const fields = { 'Accept-Encoding': 'gzip, deflate, br' };
    const error = refusal('Supported in Content-Encoding: one of gzip, deflate, br.', fields);
    expect(() => formatOf({ ...JSON_BODY, 'content-encoding': coding })).toThrow(error);
  });
});
