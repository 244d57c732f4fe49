import { countTurns } from '../../../test/support/turns.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { decodeJsonBody, MAX_JSON_VALUES } from './json-body.js';
import { decodeLargeJsonBody } from './large-json-body.js';
import { SLICE_BYTES } from './slices.js';

async function outcomeOf(decode: () => unknown): Promise<unknown> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.errors;
    throw error;
  }
}

const SLICE = 'x'.repeat(SLICE_BYTES);
const LONG = 'x'.repeat(300);
const WHITE = ' \t\r\n'.repeat(100);

describe('decodeLargeJsonBody', () => {
  it.each<[string, string]>([
    ['a small object', '{"a":"b","c":[1,2.5,true,null]}'],
    ['an empty body', ''],
    ['a long string', `{"a":"${LONG}","b":1}`],
    ['an array', `["${LONG}"]`],
    ['a string', `"${LONG}"`],
    ['long strings in lists and objects', `{"a":["${LONG}",{"b":"${LONG}y"}],"c":"${LONG}z"}`],
    ['long strings of a repeated key', `{"a":"${LONG}","a":"${LONG}y"}`],
    ['__proto__', `{"__proto__":"${LONG}","constructor":{"__proto__":"${LONG}"}}`],
    [
      'long white space',
      `${WHITE}{${WHITE}"a"${WHITE}:${WHITE}1${WHITE},"b":"${WHITE.replaceAll(/\s/g, ' ')}"}`,
    ],
    ['white space within a number', `{"a":1${WHITE}2}`],
    ['escapes', `{"a":"${String.raw`\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800`.repeat(50)}"}`],
    ['a byte order mark', `\ufeff{"a":"\ufeff${LONG}"}`],
    ['an unknown escape in a long string', `{"é":"${LONG}é😀\\q"}`],
    ['a line feed in a long string', `{\n"a":"${LONG}é😀\n"}`],
    ['a fault after a long string', `{"a":"${LONG}é😀"\r\n "b":1}`],
    ['a fault after long white space', `{"a":1,${WHITE}"b" 1}`],
    ['a fault after a long key', `{"${LONG}":1 2}`],
    ['a string without an end', `{"a":"${LONG}`],
    ['a missing brace', `{"a":"${LONG}"`],
    ['too many levels', `{"a":"${LONG}","b":${'['.repeat(100)}`],
    ['too many values', `{"a":[${'0,'.repeat(MAX_JSON_VALUES)}0]}`],
  ])('gives the same result as decodeJsonBody for %s', async (_, text) => {
    const body = Buffer.from(text);
    expect(await outcomeOf(() => decodeLargeJsonBody(body))).toEqual(
      await outcomeOf(() => decodeJsonBody(body)),
    );
  });

  it.each(['é', '😀', '\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00'])(
    'keeps %s intact at the ends of slices',
    async (unit) => {
      for (let shift = 0; shift < 13; shift += 1) {
        const text = `{"a":"${'x'.repeat(shift)}${unit.repeat((2 * SLICE_BYTES) / unit.length)}","b":"\\""}`;
        const body = Buffer.from(text);
        expect((await decodeLargeJsonBody(body))['a']).toBe(JSON.parse(text).a);
      }
    },
  );

  it('truncates a long key to 200 characters', async () => {
    const fields = await decodeLargeJsonBody(Buffer.from(`{"${SLICE}${SLICE}":1,"title":"t"}`));
    expect(fields).toEqual({ ['x'.repeat(200)]: 1, title: 't' });
  });

  it.each<[string, string, string, string]>([
    ['a text', '{"a":"', 'lorem ipsum ', '"}'],
    ['escaped quotes', '{"a":"', '\\"', '"}'],
    ['white space', '{', ' ', '}'],
    ['a key', '{"', 'k', '":1}'],
    ['keys', '{', `"${LONG}":1,`, '"k":1}'],
    ['a string without an end', '{"a":"', '\\"', ''],
  ])('yields to the event loop in every slice of %s', async (_, start, unit, end) => {
    const slices = 20;
    const body = Buffer.from(start + unit.repeat((slices * SLICE_BYTES) / unit.length) + end);
    expect(await countTurns(() => outcomeOf(() => decodeLargeJsonBody(body)))).toBeGreaterThan(slices);
  });
});
