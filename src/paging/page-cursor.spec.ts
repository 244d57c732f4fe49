import { createHash } from 'node:crypto';
import { encodePageCursor, type PageCursor, readCursor } from './page-cursor.js';

function decodePageCursor(sent: string, ofScope: string): PageCursor | undefined {
  try {
    return readCursor(sent, ofScope, () => true);
  } catch {
    return undefined;
  }
}

const scope = 'ordering=-pub_date&search=tea';
const cursor: PageCursor = { direction: 'next', key: ['2026-11-20T14:40:00.000000Z', 7] };
/** Its payload has 3n + 1 bytes, so the last character has unused bits, which must not be altered either. */
const text = encodePageCursor({ scope, ...cursor });

/** A forged cursor with a matching digest. */
function forge(payload: string): string {
  const digest = createHash('sha256').update(JSON.stringify(scope)).update(payload).digest('base64url');
  return digest.slice(0, 16) + Buffer.from(payload).toString('base64url');
}

describe('encodePageCursor and readCursor', () => {
  it.each<PageCursor>([
    cursor,
    { direction: 'prev', key: [Number.MAX_SAFE_INTEGER, ''] },
    { direction: 'next', key: ['\ud800 \udc00 \0 😀 "\\'] },
    { direction: 'prev', key: [] },
  ])('preserve %j', (position) => {
    const encoded = encodePageCursor({ scope, ...position });
    expect(encoded).toMatch(/^[\w-]+$/);
    expect(decodePageCursor(encoded, scope)).toEqual(position);
  });

  it('write the same cursor in every process, so that any instance reads it', () => {
    const encoded = encodePageCursor({ scope: 'a', direction: 'next', key: ['b', 1] });
    expect(encoded).toBe('L4_pyfe8YXdxB4qzWyJuZXh0IiwiYiIsMV0');
  });
});

describe('readCursor', () => {
  it('refuses another scope, even if it differs only in a lone surrogate', () => {
    for (const other of ['', `${scope} `, scope.slice(0, -1)])
      expect(decodePageCursor(text, other)).toBeUndefined();
    const encoded = encodePageCursor({ ...cursor, scope: 'title=\ud800' });
    expect(decodePageCursor(encoded, 'title=\ud801')).toBeUndefined();
  });

  it('refuses any altered, missing or additional character', () => {
    for (let at = 0; at < text.length; at += 1) {
      const similar = String.fromCharCode(text.charCodeAt(at) + 1);
      for (const char of [similar, '+', '=', ' ', 'é', '']) {
        const altered = text.slice(0, at) + char + text.slice(at + 1);
        expect(decodePageCursor(altered, scope)).toBeUndefined();
      }
    }
    for (const more of ['A', '=', '\n', text]) expect(decodePageCursor(text + more, scope)).toBeUndefined();
  });

  it.each(['', 'null', '[]', '["up",1]', '["next",null]', '["next",1.5]', '["next",1', '['.repeat(100_000)])(
    'refuses a forged cursor with payload %#',
    (payload) => {
      expect(decodePageCursor(forge(payload), scope)).toBeUndefined();
    },
  );
});
