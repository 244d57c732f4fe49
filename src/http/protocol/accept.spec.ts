import { negotiate, negotiateCoding } from './accept.js';
import { ATOM_TYPE, CSV_TYPE, HTML_TYPE, JSON_TYPE, NDJSON_TYPE } from './media-type.js';

const offers = [JSON_TYPE, NDJSON_TYPE, CSV_TYPE, ATOM_TYPE, HTML_TYPE].map((mediaType) => ({ mediaType }));
const chosen = (accept: string | undefined) => negotiate(accept, offers)?.mediaType;

describe('negotiate', () => {
  it.each([
    ['the first offer without the field', undefined, JSON_TYPE],
    ['the first offer for an empty field', ' , ', JSON_TYPE],
    ['the first offer for any type', 'image/avif, */*;q=0.8', JSON_TYPE],
    ['a type in another case', 'Text/CSV', CSV_TYPE],
    ['the higher weight', 'text/csv;q=0.5, text/html;q=0.501', HTML_TYPE],
    ['the server’s order at equal weights', 'text/html, text/csv', CSV_TYPE],
    ['the only known type', 'application/json2, application/atom+xml', ATOM_TYPE],
    ['no type with q=0', 'application/json;q=0, */*', NDJSON_TYPE],
    ['no type of a range with q=0', '*/*, application/*;q=0.000', CSV_TYPE],
    ['the highest weight of a repeated range', 'text/html;q=0.1, text/csv;q=0.3, text/html;q=0.5', HTML_TYPE],
    ['by the type before its range', 'text/*;q=0.9, text/csv;q=0.1', HTML_TYPE],
    ['by the range before any type', '*/*;q=0.9, application/*;q=0.1', CSV_TYPE],
    ['a type with UTF-8, which is the default', 'application/json;charset=utf-8', JSON_TYPE],
    ['a type with an unknown parameter', 'application/json; indent=2', JSON_TYPE],
  ])('chooses %s', (_, accept, type) => {
    expect(chosen(accept)).toBe(type);
  });

  it.each([
    'application/jso',
    'image/*',
    'application/json;indent=2;charset=latin1',
    '*/*;q=0',
    'json',
    '*/json',
  ])('accepts no offer for %j', (accept) => {
    expect(chosen(accept)).toBeUndefined();
  });

  it.each(['1.001', '2', '-1', '0.1234', '.5', ''])('skips a range whose q is %j', (weight) => {
    expect(chosen(`application/json;q=${weight}`)).toBeUndefined();
    expect(chosen(`text/csv;q=${weight}, text/html;q=0.1`)).toBe(HTML_TYPE);
  });
});

describe('negotiateCoding', () => {
  it.each([
    ['identity', undefined],
    ['identity', 'deflate, zstd'],
    ['gzip', 'gzip'],
    ['gzip', 'x-gzip'],
    ['br', 'gzip;q=0.7,br;q=0.7'],
    ['br', '*'],
    ['gzip', 'br;q=0, *;q=0.5'],
    ['gzip', 'gzip, *;q=0.5'],
    ['identity', '*;q=0'],
    ['identity', 'identity, gzip;q=0.5'],
    ['gzip', 'gzip;q=0.5, identity;q=0.5'],
    ['gzip', 'x-gzip;q=0, gzip'],
    ['gzip', 'br;q=2, gzip;q=0.1'],
  ])('chooses %s for %j', (coding, header) => {
    expect(negotiateCoding(header)).toBe(coding);
  });
});
