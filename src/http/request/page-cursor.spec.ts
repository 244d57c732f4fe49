import { createHash } from 'node:crypto';
import { decodePageCursor, encodePageCursor, type PageCursor } from './page-cursor.js';

const scope = 'ordering=-pub_date&search=tea';
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.split('');
const cursor: PageCursor = { direction: 'next', key: ['2026-11-20T14:40:00.000000Z', 7] };
/** Its payload has 3n + 1 bytes, so the last character has unused bits, which must not be altered either. */
const text = encodePageCursor({ scope, ...cursor });

/** A forged cursor with a matching digest. */
function forge(payload: string | Buffer): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(scope))
    .update(payload.toString())
    .digest('base64url');
  return digest.slice(0, 16) + Buffer.from(payload).toString('base64url');
}

describe('encodePageCursor and decodePageCursor', () => {
  it.each<[string, PageCursor['key']]>([
    ['a date and an id', ['2026-11-20T14:40:00.123456Z', 1]],
    ['the greatest id', [Number.MAX_SAFE_INTEGER]],
    ['an empty text', ['', 1]],
    ['an empty key', []],
  ])('preserve %s', (_, key) => {
    for (const direction of ['next', 'prev'] as const) {
      const encoded = encodePageCursor({ scope, direction, key });
      expect(encoded).toMatch(/^[\w-]+$/);
      expect(decodePageCursor(encoded, scope)).toEqual({ direction, key });
    }
  });

  it('preserve every UTF-16 code unit', () => {
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => unit);
    const keys = units.map((unit) => [`x${String.fromCharCode(unit)}`, unit]);
    const altered = keys.filter((key) => {
      const read = decodePageCursor(encodePageCursor({ scope, direction: 'next', key }), scope)?.key;
      return read?.length !== 2 || read[0] !== key[0] || read[1] !== key[1];
    });
    expect(altered).toEqual([]);
  });

  it('write the same cursor in every process, so that any instance reads it', () => {
    expect(encodePageCursor({ scope: 'a', direction: 'next', key: ['b', 1] })).toBe(
      'L4_pyfe8YXdxB4qzWyJuZXh0IiwiYiIsMV0',
    );
  });
});

describe('decodePageCursor', () => {
  it('refuses another scope', () => {
    for (const other of ['', `${scope} `, scope.slice(0, -1), scope.toUpperCase()]) {
      expect(decodePageCursor(text, other)).toBeUndefined();
    }
  });

  it('distinguishes scopes that differ in a lone surrogate', () => {
    const encoded = encodePageCursor({ ...cursor, scope: 'title=\ud800' });
    expect(decodePageCursor(encoded, 'title=\ud801')).toBeUndefined();
    expect(decodePageCursor(encoded, 'title=\ufffd')).toBeUndefined();
  });

  it('refuses any altered character', () => {
    for (let i = 0; i < text.length; i++) {
      for (const char of [...alphabet, '+', '/', '=', ' ', '.', 'é']) {
        if (char === text[i]) continue;
        expect(decodePageCursor(text.slice(0, i) + char + text.slice(i + 1), scope)).toBeUndefined();
      }
    }
  });

  it('refuses a cursor that is cut or extended at either end', () => {
    expect(decodePageCursor(text.slice(1), scope)).toBeUndefined();
    for (let end = 0; end < text.length; end++) {
      expect(decodePageCursor(text.slice(0, end), scope)).toBeUndefined();
    }
    for (const title of ['', 'a', 'ab', 'abc']) {
      const encoded = encodePageCursor({ scope, direction: 'next', key: [title, 1] });
      for (const more of [...alphabet, '=', '==', ' ', '\n', '%', 'AA', text]) {
        expect(decodePageCursor(encoded + more, scope)).toBeUndefined();
        expect(decodePageCursor(more + encoded, scope)).toBeUndefined();
      }
    }
  });

  it('refuses bytes that are not UTF-8 and would read as the replacement character', () => {
    const encoded = encodePageCursor({ scope, direction: 'next', key: ['\ufffd'] });
    const bytes = Buffer.from(encoded.slice(16), 'base64url');
    const at = bytes.indexOf('\ufffd');
    const altered = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]);
    expect(altered.toString()).toBe(bytes.toString());
    expect(decodePageCursor(encoded.slice(0, 16) + altered.toString('base64url'), scope)).toBeUndefined();
  });

  it.each([
    [''],
    ['null'],
    ['[]'],
    ['["up","a",1]'],
    ['["next",null]'],
    ['["next",{"a":1}]'],
    ['["next",1.5]'],
    ['["next",9007199254740992]'],
    ['["next",1'],
  ])('refuses a forged cursor with the payload %j', (payload) => {
    expect(decodePageCursor(forge(payload), scope)).toBeUndefined();
  });

  it('refuses a forged cursor that is nested too deeply', () => {
    expect(decodePageCursor(forge('['.repeat(100_000)), scope)).toBeUndefined();
  });
});
