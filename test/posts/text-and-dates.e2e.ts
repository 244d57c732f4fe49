import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** Creates a post, and reads it alone and in a list, with these fields. */
async function expectToComeBack(fields: Partial<PostJson>, shown = fields): Promise<void> {
  const post = await service.create(fields);
  expect(post).toMatchObject(shown);
  expect((await service.get(post.path)).json()).toEqual(post);
  expect((await service.get(`/posts/?id=${post.id}`)).json()).toEqual([post]);
}

const TEXTS = [
  ['emoji', '😀👨‍👩‍👧‍👦🏳️‍🌈'],
  ['combining marks, not composed', 'e\u0301 a\u0308'],
  ['composed letters, not decomposed', '\u00e9 \u00e4'],
  ['right-to-left text and marks', 'שלום \u202Eabc\u202C \u200F'],
  ['zero-width characters', 'a\u200Bb\u200Dc\uFEFFd'],
  ['white space at both ends', ' \t a \t '],
  ['no-break and ideographic spaces at both ends', '\u00A0\u3000a\u3000\u00A0'],
  ['line breaks of all kinds', 'a\r\nb\nc\rd\u2028e\u2029f\u0085g'],
  ['control characters', 'a\u0001\u0008\u000b\u001b\u007f'],
  ['a byte order mark at the start', '\uFEFFa'],
  ['non-characters and the last code point', '\uFFFE\uFFFF\u{10FFFF}'],
  ['the replacement character', '\uFFFD'],
  ['private-use characters', '\uE000\u{F0000}'],
  ['text that looks like SQL', `'; DROP TABLE posts; -- "" \\`],
  ['text that looks like HTML', '<script>alert(1)</script> &amp;'],
  ['text that looks like an escape', String.raw`\u0000 \n %00 %20 +`],
  ['text that looks like a number', '007'],
  ['text that looks like null', 'null'],
  ['text that looks like an SQL parameter', ':id ? $1 @a'],
] as const;

// errors.http.e2e.ts has texts and dates that are refused.
describe('the text of a post', () => {
  it.each(TEXTS)('is stored and returned unchanged: %s', async (_, text) => {
    await expectToComeBack({ title: `${text}x`, body: text });
  });

  it('is stored and returned unchanged by PUT', async () => {
    const { path } = await service.create();
    const text = { title: ' é\r\n😀\u202E ', body: ' é\r\n😀\u202E ' };
    expect((await service.put(path, text)).json()).toMatchObject(text);
    expect((await service.get(path)).json()).toMatchObject(text);
  });

  it.each([
    ['a title of 200 emoji of two UTF-16 units', { title: '😀'.repeat(200) }],
    ['a title of 200 code points that show as fewer characters', { title: 'e\u0301'.repeat(100) }],
    ['an empty body', { body: '' }],
    ['a body of white space', { body: ' \r\n\t ' }],
    ['a long body', { body: 'é😀\r\n'.repeat(200_000) }],
  ])('may be %s', (_, fields) => expectToComeBack(fields));
});

// src/posts/pub-date.spec.ts has all forms of dates.
describe('pub_date', () => {
  it.each([
    ['2026-11-20 14:40+01:00', '2026-11-20T13:40:00.000Z'],
    ['2026-11-20T14:40:00.1234569Z', '2026-11-20T14:40:00.123456Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T22:59:59.999999-01:00', '9999-12-31T23:59:59.999999Z'],
  ])('%s is shown as %s', (sent, shown) => expectToComeBack({ pub_date: sent }, { pub_date: shown }));
});
