import { InvalidRequest } from '../../problem-details/problems.js';
import { decodeMultipartBody, decodeUrlencodedBody, MAX_FORM_FIELDS } from './form-bodies.js';
import { rulesOf } from './input-rules.js';
import { IsIntegerBetween, Optional } from './validation.js';

class ThingDto {
  @Optional()
  @IsIntegerBetween(1, 9)
  id?: number;
}

const RULES = rulesOf(ThingDto);

/** The codes and places of the faults: `malformed_form /title`. */
function faultsOf(decode: () => unknown): string[] {
  try {
    decode();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return error.errors!.map((fault) => `${fault.code} ${'pointer' in fault ? fault.pointer : ''}`);
  }
  throw new Error('it was taken');
}

const urlencoded = (body: string | Buffer) => decodeUrlencodedBody(Buffer.from(body), RULES);
const multipart = (body: string | Buffer) => decodeMultipartBody(Buffer.from(body), 'b', RULES);
const DISPOSITION = 'Content-Disposition: form-data';
const part = (name: string, value: string, header = '') =>
  `${DISPOSITION}; name="${name}"\r\n${header}\r\n${value}`;
const parts = (...all: string[]) => `${all.map((text) => `--b\r\n${text}\r\n`).join('')}--b--\r\n`;

type Fields = [string, string][];

/** Encode fields in one of the formats, and decode them. */
const FORMATS: [string, (fields: Fields) => Record<string, unknown>][] = [
  ['decodeUrlencodedBody', (fields) => urlencoded(new URLSearchParams(fields).toString())],
  ['decodeMultipartBody', (fields) => multipart(parts(...fields.map((each) => part(...each))))],
];

describe.each(FORMATS)('%s', (_, decode) => {
  it.each<Record<string, string>>([
    {},
    { tïtle: 'é😀\u200f' },
    { body: ' \t\r\n\n\r x \r\n' },
    { body: '\ufeffx', '': 'x', empty: '' },
    { title: '7' },
    ...['07', '7.0', '7 ', '1e3', '٧', '7\n'].map((id) => ({ id })),
  ])('reads texts: %j', (fields) => {
    expect(decode(Object.entries(fields))).toEqual(fields);
  });

  it('reads canonical decimals as numbers, and __proto__ as an ordinary name', () => {
    const read = decode(Object.entries({ id: '9007199254740991', ['__proto__']: 'x' }));
    expect(Object.entries(read)).toEqual(Object.entries({ id: 9_007_199_254_740_991, ['__proto__']: 'x' }));
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('reports each repeated field once, even when one of its values is empty', () => {
    const names = ['a/b~c', 'id', 'a/b~c', 'a/b~c', 'id'];
    const fields = names.map((name, index): [string, string] => [name, index === 1 ? '' : '7']);
    expect(faultsOf(() => decode(fields))).toEqual(['repeated /a~1b~0c', 'repeated /id']);
  });

  it('reads 100 fields and no more', () => {
    const fields = Array.from({ length: MAX_FORM_FIELDS }, (__, n): [string, string] => [`f${n}`, '']);
    expect(Object.keys(decode(fields))).toHaveLength(MAX_FORM_FIELDS);
    expect(faultsOf(() => decode([...fields, ['id', '']]))).toEqual(['too_many ']);
  });
});

describe('decodeUrlencodedBody', () => {
  it.each([
    ['a=1&&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a+b=c+d%20e%2Bf', { 'a b': 'c d e+f' }],
    ['\ufeffa=1', { a: '1' }],
  ])('reads %j', (body, fields) => {
    expect(urlencoded(body)).toEqual(fields);
  });

  it.each([
    ['a=100%', ['not_utf8 /a']],
    ['%E9=1', ['not_utf8 ']],
    [Buffer.from('a=é', 'latin1'), ['not_utf8 ']],
  ])('refuses %j', (body, faults) => {
    expect(faultsOf(() => urlencoded(body))).toEqual(faults);
  });
});

describe('decodeMultipartBody', () => {
  it.each<[string, string, object]>([
    ['no text before and after the parts', `hi\r\n${parts(part('a', '1'))}hi`, { a: '1' }],
    ['white space after a boundary', `--b \t\r\n${DISPOSITION}; name=a\r\n\r\n1\r\n--b--`, { a: '1' }],
    ['a boundary within a line', parts(part('a', 'x--b\r\nx\n--b\r--b')), { a: 'x--b\r\nx\n--b\r--b' }],
    ['text/plain', parts(part('a', 'é', 'Content-Type: text/plain; charset="Utf-8"\r\n')), { a: 'é' }],
    ['capitals', parts('CONTENT-DISPOSITION:FORM-DATA;NAME=a\r\n\r\n1'), { a: '1' }],
    ['a name with quotes', parts(part('a\\"b\\\\', '1')), { 'a"b\\': '1' }],
    ['an escaped name', parts(part('%22%0D%0A%41', '2')), { '"\r\n%41': '2' }],
  ])('reads %s', (_, body, fields) => {
    expect(multipart(body)).toEqual(fields);
  });

  const LATIN1 = 'Content-Type: text/plain; charset=latin1\r\n';
  it.each<[string, string | Buffer, string]>([
    ['a body without the last boundary', `--b\r\n${part('a', '1')}\r\n`, 'malformed_form '],
    ['a body cut off in the last boundary', parts(part('a', '1')).slice(0, -3), 'malformed_form '],
    ['line feeds only', `--b\n${DISPOSITION}; name=a\n\n1\n--b--`, 'malformed_form '],
    ['a part with a long header', parts(part('a', '1', `X: ${'x'.repeat(16_384)}\r\n`)), 'malformed_form '],
    ['a part without a name', parts(`${DISPOSITION}\r\n\r\n1`), 'malformed_form '],
    ['an attachment', parts('Content-Disposition: attachment; name=a\r\n\r\n1'), 'malformed_form '],
    ['a file', parts(`${DISPOSITION}; name=f; filename="x"\r\n\r\n1`), 'file_not_allowed /f'],
    ['an encoded file name', parts(`${DISPOSITION}; name=f; filename*=x\r\n\r\n1`), 'file_not_allowed /f'],
    ['another charset', parts(part('a', 'é', LATIN1)), 'not_utf8 /a'],
    ['bytes that are not UTF-8', Buffer.from(parts(part('a', 'é')), 'latin1'), 'not_utf8 '],
  ])('refuses %s', (_, body, fault) => {
    expect(faultsOf(() => multipart(body))).toEqual([fault]);
  });

  it.each([undefined, '', 'x'.repeat(71)])('refuses %j as a boundary', (boundary) => {
    const decoding = () => decodeMultipartBody(Buffer.from(parts()), boundary, RULES);
    expect(faultsOf(decoding)).toEqual(['malformed ']);
  });
});
