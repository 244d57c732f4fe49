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
    ['the client’s order at equal weights', 'text/html, text/csv', HTML_TYPE],
    ['the specific type at equal weights', '*/*, text/csv', CSV_TYPE],
    ['the only known type', 'application/json2, application/atom+xml', ATOM_TYPE],
    ['no type with q=0', 'application/json;q=0, */*', NDJSON_TYPE],
    ['no type of a range with q=0', '*/*, application/*;q=0.000', CSV_TYPE],
    ['by the type before its range', 'text/*;q=0.9, text/csv;q=0.1', HTML_TYPE],
    ['by the range before any type', '*/*;q=0.9, application/*;q=0.1', CSV_TYPE],
    ['a type with UTF-8, which is the default', 'application/json;charset=utf-8', JSON_TYPE],
    ['a type with an unknown parameter', 'text/csv; indent=2; x="a, b;q=0"', CSV_TYPE],
    ['any type for * of old Java clients', 'image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
    ['a type by its weight without a zero', 'text/csv; q=.1, application/atom+xml; q=.2', ATOM_TYPE],
  ])('chooses %s', (_, accept, type) => {
    expect(chosen(accept)).toBe(type);
  });

  it.each(['application/jso', 'image/*', 'application/json;q=0;indent=2', '*/*;q=0', '*;q=0', 'json'])(
    'accepts no offer for %j',
    (accept) => {
      expect(chosen(accept)).toBeUndefined();
    },
  );
});

describe('negotiateCoding', () => {
  it.each([
    ['identity', undefined],
    ['identity', 'deflate, zstd'],
    ['gzip', 'gzip'],
    ['br', 'gzip;q=0.7,br;q=0.7'],
    ['br', '*'],
    ['gzip', 'br;q=0, *;q=0.5'],
    ['gzip', 'gzip, *;q=0.5'],
    ['identity', '*;q=0'],
    ['identity', 'identity, gzip;q=0.5'],
    ['gzip', 'gzip;q=0.5, identity;q=0.5'],
    ['gzip', 'br;q=.1, gzip;q=.2'],
  ])('chooses %s for %j', (coding, header) => {
    expect(negotiateCoding(header)).toBe(coding);
  });
});
