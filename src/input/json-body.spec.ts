import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { stepsOf } from '../../test/support/steps.js';
import { atOnce, PIECE_LENGTH } from '../text/steps.js';
import { decodeJsonBody, MAX_JSON_KEYS, MAX_JSON_VALUES } from './json-body.js';

const decode = (body: string | Buffer) => atOnce(decodeJsonBody(Buffer.from(body)));

function faultOf(body: string | Buffer): readonly InputFault[] | undefined {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
  throw new Error('it was taken');
}

const DEEP = 'The body nests deeper than 64 levels.';
const TOO_DEEP = [{ detail: DEEP, code: 'too_deep', limit: 64, pointer: '' }];

describe('decodeJsonBody', () => {
  it.each([
    ['{"a":null,"b":[1,{"c":true}],"d":1e2}', { a: null, b: [1, { c: true }], d: 100 }],
    ['\ufeff{"a":"\ufeff"}', { a: '\ufeff' }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"a":"é😀\\u0000\\ud83d\\ude00\\ud800"}', { a: 'é😀\0😀\ud800' }],
    ['{"a":"\\\\","b":"\\"","c":"[{,\\\\\\""}', { a: '\\', b: '"', c: '[{,\\"' }],
  ])('reads %j', (body, fields) => {
    expect(decode(body)).toEqual(fields);
  });

  it.each(['x', '\\"', 'é', '€', '😀', '\\ud83d\\ude00', '€x\\\\é😀'])(
    'reads a long text of %j in steps, as JSON.parse does',
    (unit) => {
      for (const before of ['', 'x', 'xx', 'xxx']) {
        const text = `{"${before}":"${unit.repeat(300_000 / unit.length)}","b":[","]}`;
        const bytes = Buffer.from(text);
        const { steps, result } = stepsOf(decodeJsonBody(bytes));
        expect(JSON.stringify(result) === JSON.stringify(JSON.parse(text))).toBe(true);
        // Counting its values, and decoding it.
        expect(steps).toBeGreaterThan((2 * bytes.length) / PIECE_LENGTH - 2);
      }
    },
  );

  it('reads __proto__ as an ordinary key', () => {
    const fields = decode('{"__proto__":{"title":"x"},"constructor":1}');
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
    expect(fields['title']).toBeUndefined();
  });

  // test/http/request-bodies.http.e2e.ts has arrays.
  it.each([
    ['required', 'is empty; it must be a JSON object', ''],
    ['not_an_object', 'must be a JSON object', 'null'],
    ['malformed_json', 'is not well-formed JSON', '\ufeff{"é":1 2}'],
    ['malformed_json', 'is not well-formed JSON', '{"a":"unfinished'],
  ])('refuses with %s a body that %s', (code, detail, body) => {
    expect(faultOf(body)).toEqual([{ detail: `The body ${detail}.`, code, pointer: '' }]);
  });

  it.each([
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1')],
    ['a character cut off', Buffer.from('{"a":"é"}').subarray(0, 7)],
    ['an encoded surrogate', Buffer.from('7b2261223a22eda080227d', 'hex')],
  ])('refuses %s', (_, body) => {
    expect(faultOf(body)).toEqual([{ detail: 'The body is not UTF-8.', code: 'not_utf8', pointer: '' }]);
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('reads 64 levels of %s and no more', (open, close) => {
    const nested = (levels: number) => `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
    expect(decode(nested(64))).toBeInstanceOf(Object);
    expect(faultOf(nested(65))).toEqual(TOO_DEEP);
  });

  it('counts nested levels, not brackets, those behind a string too, but not those in strings', () => {
    for (let backslashes = 0; backslashes < 4; backslashes += 1) {
      const text = `x${'\\'.repeat(backslashes)}`;
      const wide = Array.from({ length: 100 }, () => [[], {}, [[]]]);
      const quoted = { a: `${text}"${'[{'.repeat(100)},`, b: wide };
      expect(decode(JSON.stringify(quoted))).toEqual(quoted);
      expect(faultOf(`{"a":${JSON.stringify(text)},"b":${'['.repeat(100)}`)).toEqual(TOO_DEEP);
    }
  });

  it(`reads ${MAX_JSON_VALUES} values and no more`, () => {
    const zeros = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 0), b: ',,,' });
    expect(decode(zeros(MAX_JSON_VALUES - 1))['a']).toHaveLength(MAX_JSON_VALUES - 1);
    const detail = `The body holds more than ${MAX_JSON_VALUES} values.`;
    expect(faultOf(zeros(MAX_JSON_VALUES))).toEqual([
      { detail, code: 'too_many', limit: MAX_JSON_VALUES, pointer: '' },
    ]);
  });

  it(`reads ${MAX_JSON_KEYS} keys and no more`, () => {
    const keys = Array.from({ length: MAX_JSON_KEYS }, (_, index) => `"${index}:":0`);
    expect(Object.keys(decode(`{${keys.join()}}`))).toHaveLength(MAX_JSON_KEYS);
    expect(faultOf(`{${keys.join()},"a":{}}`)).toMatchObject([{ code: 'too_many', limit: MAX_JSON_KEYS }]);
  });
});
