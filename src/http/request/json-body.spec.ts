import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { decodeJsonBody, MAX_JSON_DEPTH, MAX_JSON_KEYS, MAX_JSON_VALUES } from './json-body.js';

const decode = (body: string | Buffer) => decodeJsonBody(Buffer.from(body));

function faultOf(body: string | Buffer): readonly InputFault[] | undefined {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
  throw new Error('it was taken');
}

const nested = (levels: number, open: string, close: string) =>
  `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;

describe('decodeJsonBody', () => {
  it.each([
    ['{}', {}],
    ['{"title":"Hello","body":""}', { title: 'Hello', body: '' }],
    [' \r\n\t{"id" : 7}\n', { id: 7 }],
    ['{"a":null,"b":[1,{"c":true}],"d":1e2}', { a: null, b: [1, { c: true }], d: 100 }],
    ['\ufeff{"a":"\ufeff"}', { a: '\ufeff' }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":"é😀\\u0000\\ud83d\\ude00\\ud800"}', { a: 'é😀\0😀\ud800' }],
    ['{"a":"\\\\","b":"\\"","c":"[{,\\\\\\""}', { a: '\\', b: '"', c: '[{,\\"' }],
  ])('reads %j', (body, fields) => {
    expect(decode(body)).toEqual(fields);
  });

  it('reads __proto__ as an ordinary key', () => {
    const fields = decode('{"__proto__":{"title":"x"},"constructor":1}');
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(fields['title']).toBeUndefined();
  });

  it.each([
    ['', 'required', 'The body is empty; it must be a JSON object.'],
    ['\ufeff', 'required', 'The body is empty; it must be a JSON object.'],
    ['[]', 'not_an_object', 'The body must be a JSON object, not an array.'],
    ['"text"', 'not_an_object', 'The body must be a JSON object, not a string.'],
    ['1', 'not_an_object', 'The body must be a JSON object, not a number.'],
    ['true', 'not_an_object', 'The body must be a JSON object, not a boolean.'],
    ['null', 'not_an_object', 'The body must be a JSON object, not null.'],
    ['{a:1}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 2.'],
    ['{"a":1,}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 8.'],
    [
      '{\r\n  "a": 1\r\n  "b": 2\r\n}',
      'malformed_json',
      'The body is not well-formed JSON: see line 3, column 3.',
    ],
    ['{"a":"line\nbreak"}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 11.'],
    ['\ufeff{"é":1 2}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 8.'],
    ['{"a":1}{"b":2}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 8.'],
    ['{"a":secret}', 'malformed_json', 'The body is not well-formed JSON.'],
    ['JSON at position 9', 'malformed_json', 'The body is not well-formed JSON.'],
    ["{'a':1}", 'malformed_json', 'The body is not well-formed JSON: see line 1, column 2.'],
    ['{"a":NaN}', 'malformed_json', 'The body is not well-formed JSON.'],
    ['\ufeff\ufeff{}', 'malformed_json', 'The body is not well-formed JSON.'],
    ['{"a":"unfinished', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 17.'],
    ['{"a":"unfinished\\', 'malformed_json', 'The body is not well-formed JSON.'],
    ['{"a":1', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 7.'],
    ['{"a":1 /* c */}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 8.'],
    ['{"a":"\\x41"}', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 8.'],
    ['\u00a0{"a":1}', 'malformed_json', 'The body is not well-formed JSON.'],
    ['{\0"\0a\0', 'malformed_json', 'The body is not well-formed JSON: see line 1, column 2.'],
    [']]]]]', 'malformed_json', 'The body is not well-formed JSON.'],
  ])('refuses %j', (body, code, detail) => {
    expect(faultOf(body)).toEqual([{ detail, code, pointer: '' }]);
  });

  it.each([
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
    ['UTF-16', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['a character cut off', Buffer.from('{"a":"é"}').subarray(0, 7)],
    ['an encoded surrogate', Buffer.from('7b2261223a22eda08022 7d'.replace(' ', ''), 'hex')],
    ['an overlong form', Buffer.from('7b2261223a22c0af227d', 'hex')],
  ])('refuses %s', (_, body) => {
    expect(faultOf(body)).toEqual([{ detail: 'The body is not UTF-8.', code: 'not_utf8', pointer: '' }]);
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"\\"":', '}]'],
  ])('reads 64 levels of %s and no more', (open, close) => {
    const step = open.length - open.replaceAll(/[[{]/g, '').length;
    const levels = (MAX_JSON_DEPTH - 1) / step;
    const deepest = nested(Math.floor(levels) + 1, open, close);
    expect(decode(deepest)).toBeInstanceOf(Object);
    expect(faultOf(`{"a":${'['.repeat(step)}${deepest}${']'.repeat(step)}}`)).toEqual([
      { detail: 'The body nests deeper than 64 levels.', code: 'too_deep', limit: 64, pointer: '' },
    ]);
  });

  it('counts nested levels, not brackets', () => {
    const siblings = [[], {}, [[]], { b: {} }];
    const wide = { a: Array.from({ length: 100 }, () => siblings) };
    expect(decode(JSON.stringify(wide))).toEqual(wide);
  });

  it('does not count brackets in strings as levels, even after escaped quotes', () => {
    const brackets = '[{'.repeat(100);
    for (let backslashes = 0; backslashes < 4; backslashes += 1) {
      for (let length = 0; length < 140; length += 1) {
        const text = `${'x'.repeat(length)}${'\\'.repeat(backslashes)}"${brackets},`;
        expect(decode(JSON.stringify({ a: text, b: [text] }))).toEqual({ a: text, b: [text] });
      }
    }
  });

  it('counts the levels after a string that ends with backslashes', () => {
    for (let backslashes = 0; backslashes < 4; backslashes += 1) {
      for (let length = 0; length < 140; length += 1) {
        const text = `${'x'.repeat(length)}${'\\'.repeat(backslashes)}`;
        const body = `{"a":${JSON.stringify(text)},"b":${'['.repeat(100)}`;
        expect(faultOf(body)).toEqual([
          { detail: 'The body nests deeper than 64 levels.', code: 'too_deep', limit: 64, pointer: '' },
        ]);
      }
    }
  });

  it(`reads ${MAX_JSON_VALUES} values and no more`, () => {
    const most = JSON.stringify({ a: Array.from({ length: MAX_JSON_VALUES }, () => 0), b: ',,,' }).replace(
      '0,',
      '',
    );
    expect(decode(most)['a']).toHaveLength(MAX_JSON_VALUES - 1);
    expect(faultOf(most.replace('0,', '0,0,'))).toEqual([
      {
        detail: `The body holds more than ${MAX_JSON_VALUES} values.`,
        code: 'too_many',
        limit: MAX_JSON_VALUES,
        pointer: '',
      },
    ]);
  });

  it(`reads ${MAX_JSON_KEYS} keys and no more`, () => {
    const keys = Array.from({ length: MAX_JSON_KEYS }, (_, index) => `"${index}:":0`);
    expect(Object.keys(decode(`{${keys.join()}}`))).toHaveLength(MAX_JSON_KEYS);
    expect(faultOf(`{${keys.join()},"a":{}}`)).toMatchObject([{ code: 'too_many', limit: MAX_JSON_KEYS }]);
  });
});
