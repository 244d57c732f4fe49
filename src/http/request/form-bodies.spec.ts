import { countTurns } from '../../../test/support/turns.js';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { decodeUrlencodedBody, type FormRules, MAX_FORM_FIELDS, MAX_NAME_LENGTH } from './form-bodies.js';
import { decodeMultipartBody } from './multipart-body.js';
import { SLICE_BYTES } from './slices.js';

const RULES: FormRules = { numberFields: ['id'], emptyMeansAbsent: ['id', 'pub_date'] };
const NO_FIELDS = {};

async function faultsOf(decode: () => unknown): Promise<readonly InputFault[] | undefined> {
  try {
    await decode();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
  throw new Error('it was taken');
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const decodeUrlencoded = (body: string | Buffer) => decodeUrlencodedBody(Buffer.from(body), RULES);
const decodeMultipart = (body: string | Buffer, boundary = 'b') =>
  decodeMultipartBody(Buffer.from(body), boundary, RULES);

/** The functions encode fields in one of the formats, and decode them. */
const FORMATS: [string, (fields: [string, string][]) => Promise<Record<string, unknown>>][] = [
  [
    'decodeUrlencodedBody',
    (fields) => decodeUrlencodedBody(Buffer.from(new URLSearchParams(fields).toString()), RULES),
  ],
  [
    'decodeMultipartBody',
    (fields) =>
      decodeMultipartBody(multipart(...fields.map(([name, value]) => part(name, value))), 'b', RULES),
  ],
];

const part = (name: string, value: string, header = '') =>
  `Content-Disposition: form-data; name="${name}"\r\n${header}\r\n${value}`;
const multipart = (...parts: string[]) =>
  Buffer.from(`${parts.map((text) => `--b\r\n${text}\r\n`).join('')}--b--\r\n`);

describe.each(FORMATS)('%s', (_, decode) => {
  it.each<[string, [string, string][], object]>([
    ['no fields', [], NO_FIELDS],
    [
      'texts',
      [
        ['title', 'Hello'],
        ['body', 'a & b = c + d; 100 %'],
      ],
      { title: 'Hello', body: 'a & b = c + d; 100 %' },
    ],
    ['characters beyond ASCII', [['tïtle', 'é😀\u200f']], { tïtle: 'é😀\u200f' }],
    ['every byte of white space', [['body', ' \t\r\n\n\r x \r\n']], { body: ' \t\r\n\n\r x \r\n' }],
    ['a byte order mark in a value', [['body', '\ufeffx']], { body: '\ufeffx' }],
    ['an empty text', [['body', '']], { body: '' }],
    ['an empty name', [['', 'x']], { '': 'x' }],
    [
      'empty fields as absent',
      [
        ['id', ''],
        ['pub_date', ''],
      ],
      NO_FIELDS,
    ],
    ['a number', [['id', '7']], { id: 7 }],
    ['the largest number', [['id', '9007199254740991']], { id: 9_007_199_254_740_991 }],
    ['a number in a text field as text', [['title', '7']], { title: '7' }],
    ...[
      '9007199254740992',
      '0',
      '-1',
      '07',
      '+7',
      '7.0',
      '7 ',
      '1e3',
      '0x7',
      '٧',
      '7\n',
      '99999999999999999999',
    ].map((id): [string, [string, string][], object] => [
      `${JSON.stringify(id)} as text`,
      [['id', id]],
      { id },
    ]),
  ])('reads %s', async (__, fields, read) => {
    expect(await decode(fields)).toEqual(read);
  });

  it('reads __proto__ as an ordinary name', async () => {
    const fields = await decode([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.entries(fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it('reports each repeated field once, even when one of its values is empty', async () => {
    expect(
      await faultsOf(() =>
        decode([
          ['a/b~c', '1'],
          ['id', ''],
          ['a/b~c', '2'],
          ['a/b~c', '3'],
          ['id', '7'],
        ]),
      ),
    ).toEqual([
      { detail: 'The field occurs more than once.', code: 'repeated', pointer: '/a~1b~0c' },
      { detail: 'The field occurs more than once.', code: 'repeated', pointer: '/id' },
    ]);
  });

  it('reads 100 fields and no more', async () => {
    const fields = Array.from({ length: MAX_FORM_FIELDS }, (__, index): [string, string] => [
      `f${index}`,
      '',
    ]);
    expect(Object.keys(await decode(fields))).toHaveLength(MAX_FORM_FIELDS);
    expect(await faultsOf(() => decode([...fields, ['id', '']]))).toEqual([
      { detail: 'The form has more than 100 fields.', code: 'too_many', limit: 100, pointer: '' },
    ]);
  });

  it('reports a name that is too long without quoting it', async () => {
    const name = 'é'.repeat(MAX_NAME_LENGTH);
    expect(await decode([[name, '']])).toEqual({ [name]: '' });
    expect(await faultsOf(() => decode([[`${name}é`, '']]))).toEqual([
      { detail: "A field's name is longer than 256 characters.", code: 'too_long', limit: 256, pointer: '' },
    ]);
  });
});

describe('decodeUrlencodedBody', () => {
  it.each([
    ['', NO_FIELDS],
    ['&&', NO_FIELDS],
    ['a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['=', { '': '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a+b=c+d%20e%2Bf', { 'a b': 'c d e+f' }],
    ['%61=%C3%a9%F0%9f%98%80', { a: 'é😀' }],
    ['a=é', { a: 'é' }],
    ['a=%00%0d%0A', { a: '\0\r\n' }],
    ['a=1;b=2', { a: '1;b=2' }],
    ['\ufeffa=1', { a: '1' }],
    ['a=%EF%BB%BF1', { a: '\ufeff1' }],
    ['a[]=1&a.b=2', { 'a[]': '1', 'a.b': '2' }],
  ])('reads %j', async (body, fields) => {
    expect(await decodeUrlencoded(body)).toEqual(fields);
  });

  const BAD_PERCENT = 'The value has a % without two hexadecimal digits.';
  it.each<[string, string | Buffer, string, string, string]>([
    ['a lone %', 'a=100%', '/a', 'malformed_form', BAD_PERCENT],
    ['a % before one digit', 'a=%2', '/a', 'malformed_form', BAD_PERCENT],
    ['a % that reaches into the next field', 'a=%2&b=0', '/a', 'malformed_form', BAD_PERCENT],
    ['a % before letters that are not hexadecimal', 'a=%zz', '/a', 'malformed_form', BAD_PERCENT],
    ['a % before a digit and another character', 'a=%2g', '/a', 'malformed_form', BAD_PERCENT],
    ['a % before another character and a digit', 'a=%@2', '/a', 'malformed_form', BAD_PERCENT],
    [
      'a malformed name',
      '%=1',
      '',
      'malformed_form',
      "A field's name has a % without two hexadecimal digits.",
    ],
    ['bytes that are not UTF-8', Buffer.from('a=é', 'latin1'), '/a', 'not_utf8', 'The value is not UTF-8.'],
    ['escapes that are not UTF-8', 'a=%E9', '/a', 'not_utf8', 'The value is not UTF-8.'],
    ['an escaped surrogate', 'a=%ED%A0%80', '/a', 'not_utf8', 'The value is not UTF-8.'],
    ['a name that is not UTF-8', '%E9=1', '', 'not_utf8', "A field's name is not UTF-8."],
  ])('refuses %s', async (_, body, pointer, code, detail) => {
    expect(await faultsOf(() => decodeUrlencoded(body))).toEqual([{ detail, code, pointer }]);
  });

  it('reports the faults of all fields', async () => {
    expect(await faultsOf(() => decodeUrlencoded('a=%&b=%E9&c=1&c=2'))).toEqual([
      { detail: BAD_PERCENT, code: 'malformed_form', pointer: '/a' },
      { detail: 'The value is not UTF-8.', code: 'not_utf8', pointer: '/b' },
      { detail: 'The field occurs more than once.', code: 'repeated', pointer: '/c' },
    ]);
  });
});

describe('decodeMultipartBody', () => {
  it.each<[string, string | Buffer, object]>([
    [
      'the parts alone, without the text before and after them',
      `hi\r\n${multipart(part('a', '1')).toString()}hi`,
      { a: '1' },
    ],
    ['no line break at the end', multipart(part('a', '1')).subarray(0, -2), { a: '1' }],
    ['a byte order mark at the start', `\ufeff\r\n${multipart(part('a', '1')).toString()}`, { a: '1' }],
    [
      'white space after a boundary',
      '--b \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--',
      { a: '1' },
    ],
    ['a boundary within a line', multipart(part('a', 'x--b\r\nx\n--b\r--b')), { a: 'x--b\r\nx\n--b\r--b' }],
    ['an empty line before the boundary', multipart(part('a', '\r\n\r\n')), { a: '\r\n\r\n' }],
    ['a value that looks like a header', multipart(part('a', 'B: c\r\n\r\nd')), { a: 'B: c\r\n\r\nd' }],
    [
      'a part of type text/plain',
      multipart(part('a', 'é', 'Content-Type: text/plain; charset="Utf-8"\r\n')),
      { a: 'é' },
    ],
    ['JSON as text', multipart(part('a', '{}', 'Content-Type: application/json\r\n')), { a: '{}' }],
    [
      'application/octet-stream as text',
      multipart(part('a', 'é', 'content-type: application/octet-stream\r\n')),
      { a: 'é' },
    ],
    [
      'a Content-Transfer-Encoding without effect',
      multipart(part('a', '=20', 'Content-Transfer-Encoding: 8BIT\r\n')),
      { a: '=20' },
    ],
    ['a part with an unknown header field', multipart(part('a', '1', 'X-More: 1\r\n')), { a: '1' }],
    [
      'Content-Disposition in capitals',
      multipart('CONTENT-DISPOSITION:FORM-DATA;NAME=a\r\n\r\n1'),
      { a: '1' },
    ],
    [
      'names with quotes',
      multipart(part('a\\"b\\\\', '1'), part('%22%0D%0A%41', '2')),
      { 'a"b\\': '1', '"\r\n%41': '2' },
    ],
    ['a name that ends in a no-break space', multipart(part('à\u00a0', '1')), { 'à\u00a0': '1' }],
    ['a name that looks like a file', multipart(part('a; filename=b', '1')), { 'a; filename=b': '1' }],
  ])('reads %s', async (_, body, fields) => {
    expect(await decodeMultipart(body)).toEqual(fields);
  });

  it('finds a boundary with all punctuation that RFC 2046 allows', async () => {
    const boundary = `'()+_,-./:=? ${'x'.repeat(57)}`;
    const body = multipart(part('a', '1')).toString().replaceAll('--b', `--${boundary}`);
    expect(await decodeMultipart(body, boundary)).toEqual({ a: '1' });
  });

  it('reads values that contain parts of the boundary', async () => {
    const value = '\r\n--\r\n-\r\r\n\r\n--c\r\n\r\n--B\r\n--';
    expect(await decodeMultipart(multipart(part('a', value), part('b', value)))).toEqual({
      a: value,
      b: value,
    });
  });

  const HEADER_FAULT = 'A part has a malformed header, or no Content-Disposition: form-data with a name.';
  const NO_HEADER = 'A part has no header, or one over 16384 bytes.';
  it.each<[string, string | Buffer, string, string, string]>([
    [
      'an empty body',
      '',
      '',
      'malformed_form',
      'The body does not contain the boundary that Content-Type names.',
    ],
    [
      'another boundary',
      '--c\r\n--c--',
      '',
      'malformed_form',
      'The body does not contain the boundary that Content-Type names.',
    ],
    [
      'a body cut off in a value',
      multipart(part('a', '1')).subarray(0, -9),
      '',
      'malformed_form',
      'The body ends before its closing boundary.',
    ],
    [
      'a body without the last boundary',
      `--b\r\n${part('a', '1')}\r\n`,
      '',
      'malformed_form',
      'The body ends before its closing boundary.',
    ],
    [
      'a body cut off in the last boundary',
      multipart(part('a', '1')).subarray(0, -3),
      '',
      'malformed_form',
      'The line of the boundary has other characters after it.',
    ],
    [
      'a boundary followed by other characters',
      multipart(part('a', 'x\r\n--bc\r\ny')),
      '',
      'malformed_form',
      'The line of the boundary has other characters after it.',
    ],
    [
      'line feeds without carriage returns',
      '--b\nContent-Disposition: form-data; name=a\n\n1\n--b--',
      '',
      'malformed_form',
      'The line of the boundary has other characters after it.',
    ],
    ['a part without a header', multipart('\r\nvalue'), '', 'malformed_form', NO_HEADER],
    [
      'a part without a value',
      multipart('Content-Disposition: form-data; name=a\r\n'),
      '',
      'malformed_form',
      NO_HEADER,
    ],
    [
      'a part with a long header',
      multipart(part('a', '1', `X: ${'x'.repeat(16_384)}\r\n`)),
      '',
      'malformed_form',
      NO_HEADER,
    ],
    ['a part without a disposition', multipart('X-Y: 1\r\n\r\n1'), '', 'malformed_form', HEADER_FAULT],
    [
      'a part without a name',
      multipart('Content-Disposition: form-data\r\n\r\n1'),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    [
      'a part with two names',
      multipart('Content-Disposition: form-data; name=a; name=b\r\n\r\n1'),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    [
      'a part with two dispositions',
      multipart(part('a', '1', 'Content-Disposition: form-data; name=b\r\n')),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    [
      'an attachment',
      multipart('Content-Disposition: attachment; name=a\r\n\r\n1'),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    [
      'a name with an unclosed quote',
      multipart('Content-Disposition: form-data; name="a\r\n\r\n1'),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    ['a malformed header', multipart(part('a', '1', 'no colon\r\n')), '', 'malformed_form', HEADER_FAULT],
    [
      'a folded header',
      multipart('Content-Disposition: form-data;\r\n name=a\r\n\r\n1'),
      '',
      'malformed_form',
      HEADER_FAULT,
    ],
    [
      'a file',
      multipart('Content-Disposition: form-data; name=f; filename="x.txt"\r\n\r\n1'),
      '/f',
      'file_not_allowed',
      'File uploads are not accepted.',
    ],
    [
      'an empty file field',
      multipart('Content-Disposition: form-data; name=f; filename=""\r\n\r\n'),
      '/f',
      'file_not_allowed',
      'File uploads are not accepted.',
    ],
    [
      'a file with an encoded name',
      multipart("Content-Disposition: form-data; name=f; filename*=UTF-8''x\r\n\r\n1"),
      '/f',
      'file_not_allowed',
      'File uploads are not accepted.',
    ],
    [
      'another charset',
      multipart(part('a', '1', 'Content-Type: text/plain; charset=latin1\r\n')),
      '/a',
      'not_utf8',
      'The part has a charset other than UTF-8.',
    ],
    [
      'a malformed type',
      multipart(part('a', '1', 'Content-Type: text\r\n')),
      '/a',
      'malformed_form',
      'The Content-Type of the part is malformed.',
    ],
    [
      'base64',
      multipart(part('a', 'MQ==', 'Content-Transfer-Encoding: base64\r\n')),
      '/a',
      'malformed_form',
      'The Content-Transfer-Encoding is not supported.',
    ],
    [
      'a value that is not UTF-8',
      latin1(multipart(part('a', 'e')).toString().replace('\r\ne\r', '\r\né\r')),
      '/a',
      'not_utf8',
      'The value is not UTF-8.',
    ],
    [
      'a name that is not UTF-8',
      latin1(multipart(part('A', '1')).toString().replace('A', 'é')),
      '',
      'not_utf8',
      "A field's name is not UTF-8.",
    ],
  ])('refuses %s', async (_, body, pointer, code, detail) => {
    expect(await faultsOf(() => decodeMultipart(body))).toEqual([{ detail, code, pointer }]);
  });

  it.each([[undefined], [''], ['x'.repeat(71)]])('refuses %j as a boundary', async (boundary) => {
    expect(await faultsOf(() => decodeMultipartBody(multipart(), boundary, RULES))).toEqual([
      {
        detail: 'multipart/form-data needs a boundary of 1 to 70 characters.',
        code: 'malformed',
        header: 'Content-Type',
      },
    ]);
  });
});

describe('a large form', () => {
  const SLICES = 20;
  it.each<[string, string, string, (body: string) => Promise<unknown>]>([
    ['escapes', 'a=', '%22', decodeUrlencoded],
    ['characters', 'a=', 'é', decodeUrlencoded],
    ['ampersands', '', '&', decodeUrlencoded],
    ['characters in a part', `--b\r\n${part('a', '')}`, 'é', (body) => decodeMultipart(`${body}\r\n--b--`)],
  ])('yields to the event loop in every slice of %s', async (_, start, unit, decode) => {
    const body = start + unit.repeat(SLICES * SLICE_BYTES);
    expect(await countTurns(() => decode(body))).toBeGreaterThanOrEqual(SLICES);
  });

  it('keeps characters intact at the ends of slices', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const a = 'x'.repeat(shift) + '😀'.repeat(SLICE_BYTES);
      expect(await decodeMultipart(multipart(part('a', a)))).toEqual({ a });
    }
  });
});
