import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** Sends a JSON text unchanged, so that its escapes reach the service. */
async function postText(body: string) {
  return service.request('POST', '/posts/', { body, headers: { 'Content-Type': 'application/json' } });
}

/** Creates a post and reads it back, both alone and in a list. */
async function comeBack(fields: Partial<PostJson>): Promise<PostJson> {
  const post = await service.create(fields);
  expect((await service.get(post.path)).json()).toEqual(post);
  expect((await service.get(`/posts/?id=${post.id}`)).json()).toEqual([post]);
  return post;
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

describe('the text of a post', () => {
  it.each(TEXTS)('is stored and returned unchanged: %s', async (_, text) => {
    const { title, body } = await comeBack({ title: `${text}x`, body: text });
    expect({ title, body }).toEqual({ title: `${text}x`, body: text });
  });

  it('is stored and returned unchanged by PUT', async () => {
    const post = await service.create();
    const text = ' é\r\n😀\u202E ';
    expect((await service.put(post.path, { title: text, body: text })).json()).toMatchObject({
      title: text,
      body: text,
    });
    expect((await service.get(post.path)).json()).toMatchObject({ title: text, body: text });
  });

  it.each([
    [String.raw`a\u0000b`, 'The text must not contain U+0000 (the null character).'],
    [String.raw`a\ud800`, 'The text must not contain a lone surrogate (half of a UTF-16 pair).'],
  ])('is refused with %s, which a database cannot store', async (escaped, detail) => {
    const response = await postText(`{"title": "${escaped}", "body": "${escaped}"}`);
    expect(response.problem).toMatchObject({
      status: 400,
      errors: ['/title', '/body'].map((pointer) => ({ detail, pointer })),
    });
    const post = await service.create();
    const headers = { 'Content-Type': 'application/json' };
    const put = await service.request('PUT', post.path, {
      body: `{"title": "a", "body": "${escaped}"}`,
      headers,
    });
    expect(put.problem).toMatchObject({ status: 400, errors: [{ detail, pointer: '/body' }] });
    expect((await service.get(post.path)).json()).toEqual(post);
  });
});

describe('the title', () => {
  it.each([
    ['200 emoji of two UTF-16 units', '😀'.repeat(200)],
    ['200 code points that show as fewer characters', 'e\u0301'.repeat(100)],
  ])('may be %s', async (_, title) => {
    expect((await comeBack({ title })).title).toBe(title);
  });

  it.each<[string, string, { code: string; limit?: number; detail: RegExp }]>([
    ['201 emoji', '😀'.repeat(201), { code: 'too_long', limit: 200, detail: /at most 200 characters/ }],
    ['white space', '\t\u2028\u3000', { code: 'blank', detail: /must not be empty or only white space/ }],
  ])('may not be %s', async (_, title, { detail, ...fault }) => {
    const response = await service.post(aPost({ title }));
    expect(response.problem).toMatchObject({
      status: 400,
      errors: [{ ...fault, detail: expect.stringMatching(detail), pointer: '/title' }],
    });
  });
});

describe('the body', () => {
  it.each([
    ['empty', ''],
    ['only white space', ' \r\n\t '],
    ['long', 'é😀\r\n'.repeat(200_000)],
  ])('may be %s', async (_, body) => {
    expect((await comeBack({ body })).body).toBe(body);
  });
});

// src/posts/pub-date.spec.ts has all forms of dates.
describe('pub_date', () => {
  it.each([
    ['2026-11-20 14:40+01:00', '2026-11-20T13:40:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T14:40:00.1234569Z', '2026-11-20T14:40:00.123456Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T22:59:59.999999-01:00', '9999-12-31T23:59:59.999999Z'],
  ])('%s is shown as %s', async (sent, shown) => {
    expect((await comeBack({ pub_date: sent })).pub_date).toBe(shown);
  });

  it.each<[unknown, string]>([
    ['yesterday', 'not_a_date'],
    ['2026-02-30', 'not_a_date'],
    ['9999-12-31T23:59:59-00:01', 'not_a_date'],
    [null, 'not_a_string'],
    [1763649600000, 'not_a_string'],
    [['2026-11-20'], 'not_a_string'],
  ])('may not be %j', async (pubDate, code) => {
    const response = await service.post({ ...aPost(), pub_date: pubDate });
    expect(response.problem).toMatchObject({ status: 400, errors: [{ code, pointer: '/pub_date' }] });
  });
});
