import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { PostJson } from '../support/posts.js';
import { aPost } from '../support/posts.js';
import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';

const service = await startService();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

function post(body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return service.request('POST', '/posts/', { body, headers });
}

function multipart(parts: readonly string[], boundary = 'XX') {
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return post(`${body}--${boundary}--\r\n`, { 'Content-Type': `multipart/form-data; boundary=${boundary}` });
}

const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

async function countPosts(): Promise<string | undefined> {
  const { headers } = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
  return headers['x-total-count'];
}

describe('the media types of a post', () => {
  const sent = { title: 'Ünï & + = %41 😀', pub_date: '2026-11-20T14:40:00+01:00', body: 'a\r\nb\n "c"\t' };
  const stored = { ...sent, pub_date: '2026-11-20T13:40:00.000Z' };
  const fields = Object.entries(sent);

  it.each<[string, () => ReturnType<typeof post>]>([
    ['application/json', () => post(JSON.stringify(sent))],
    ['application/x-www-form-urlencoded', () => post(new URLSearchParams(sent).toString(), FORM_TYPE)],
    ['multipart/form-data', () => multipart(fields.map(([name, value]) => field(name, value)))],
  ])('store the same post: %s', async (_, send) => {
    const response = await send();
    const { id, ...rest } = response.json<PostJson>();
    expect(response.status).toBe(201);
    expect(rest).toEqual(stored);
    expect((await service.get(`/posts/${id}/`)).json()).toEqual({ id, ...stored });
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    'application/json ; charset=utf8',
    'application/json; profile=x',
    'application/json;',
  ])('may be written as %s', async (type) => {
    expect((await post(JSON.stringify(aPost()), { 'Content-Type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'text/json',
    'application/xml',
    'application/merge-patch+json',
    'application/vnd.api+json',
    'application/octet-stream',
    'application/*',
    '*/*',
    'json',
    '',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; charset=us-ascii',
    'application/x-www-form-urlencoded; charset=windows-1252',
    'multipart/form-data; boundary=XX; charset=latin1',
    'multipart/mixed; boundary=XX',
  ])('may not be "%s"', async (type) => {
    const before = await countPosts();
    const path = (await service.create()).path;
    for (const [method, target] of [
      ['POST', '/posts/'],
      ['PUT', path],
      ['PUT', `/posts/?id=${path.split('/')[2]}`],
    ] as const) {
      const response = await service.request(method, target, {
        json: aPost(),
        headers: { 'Content-Type': type },
      });
      expect(response.problem).toMatchObject({
        status: 415,
        title: 'Unsupported Media Type',
        type: 'about:blank',
        code: 'unsupported-media-type',
      });
      expect(response.headers['accept-post']).toMatch(
        /^application\/json, application\/x-www-form-urlencoded, multipart\/form-data/,
      );
    }
    expect(await countPosts()).toBe(String(Number(before) + 1));
  });

  it('cannot be omitted with a body', async () => {
    const response = await post(JSON.stringify(aPost()), {});
    expect(response.problem).toMatchObject({ status: 415, detail: 'A body needs a Content-Type.' });
    const chunked = await service.request('POST', '/posts/', { chunks: [JSON.stringify(aPost())] });
    expect(chunked.status).toBe(415);
  });
});

describe('Content-Encoding', () => {
  const bytes = Buffer.from(JSON.stringify(aPost({ body: 'é'.repeat(10_000) })));

  it.each<[string, Buffer]>([
    ['gzip', gzipSync(bytes)],
    ['x-gzip', gzipSync(bytes)],
    ['GZIP', gzipSync(bytes)],
    ['deflate', deflateSync(bytes)],
    ['deflate', deflateRawSync(bytes)],
    ['br', brotliCompressSync(bytes)],
    ['identity', bytes],
    ['', bytes],
  ])('%s is decoded', async (coding, body) => {
    const response = await post(body, { ...JSON_TYPE, 'Content-Encoding': coding });
    expect(response.json<PostJson>().body).toBe('é'.repeat(10_000));
  });

  it.each(['compress', 'zstd', 'x', 'gzip, x', 'gzip;q=1', 'gzip, br'])('%s is refused', async (coding) => {
    const response = await post(bytes, { ...JSON_TYPE, 'Content-Encoding': coding });
    expect(response.problem).toMatchObject({ status: 415 });
    expect(response.headers['accept-encoding']).toBe('gzip, deflate, br');
  });

  it.each<[string, Buffer]>([
    ['gzip', bytes],
    ['gzip', gzipSync(bytes).subarray(0, -9)],
    ['gzip', Buffer.concat([gzipSync(bytes), Buffer.from('more')])],
    ['br', gzipSync(bytes)],
    ['deflate', Buffer.alloc(0)],
  ])('%s with corrupt data is refused with 400', async (coding, body) => {
    const response = await post(body, { ...JSON_TYPE, 'Content-Encoding': coding });
    expect(response.problem).toMatchObject({ status: 400, errors: [{ pointer: '' }] });
  });
});

describe('a JSON body', () => {
  it('may start with a byte order mark', async () => {
    expect((await post(`\uFEFF${JSON.stringify(aPost())}`)).status).toBe(201);
  });

  it('may come in pieces that cut its characters', async () => {
    const bytes = Buffer.from(JSON.stringify(aPost({ body: '😀é' })));
    const chunks = [...bytes].map((byte) => Buffer.from([byte]));
    const response = await service.request('POST', '/posts/', { headers: JSON_TYPE, chunks });
    expect(response.json<PostJson>().body).toBe('😀é');
  });

  it('uses the last value of a repeated key', async () => {
    const response = await post('{"title": 1, "body": "x", "title": "first", "body": "y", "title": "last"}');
    expect(response.json()).toMatchObject({ title: 'last', body: 'y' });
  });

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['an array', '[]'],
    ['an array of posts', '[{"title": "a", "body": "b"}]'],
    ['a string', '"a"'],
    ['a number', '42'],
    ['null', 'null'],
    ['true', 'true'],
    ['half an object', '{"title": "a", "body": '],
    ['two objects', '{"title": "a", "body": "b"} {}'],
    ['a trailing comma', '{"title": "a", "body": "b",}'],
    ['single quotes', "{'title': 'a', 'body': 'b'}"],
    ['a comment', '{"title": "a", "body": "b" /* c */}'],
    ['NaN', '{"title": "a", "body": "b", "id": NaN}'],
    ['a bare key', '{title: "a", "body": "b"}'],
    ['a raw line break in a string', '{"title": "a\nb", "body": "b"}'],
    ['a bad escape', String.raw`{"title": "\x41", "body": "b"}`],
    ['a no-break space around it', '\u00A0{"title": "a", "body": "b"}'],
    ['a form', 'title=a&body=b'],
    ['another encoding', '{"title": "a", "body": "b"}'.split('').join('\0')],
  ])('may not be %s', async (_, body) => {
    const before = await countPosts();
    const response = await post(body);
    expect(response.problem).toMatchObject({ status: 400, errors: [{ pointer: '' }] });
    expect(await countPosts()).toBe(before);
  });

  it('that is an array is refused with the media type for many posts', async () => {
    const advice = 'To send many objects, write one a line, with the Content-Type application/x-ndjson.';
    const errors = [
      {
        detail: `The body must be a JSON object, not an array. ${advice}`,
        code: 'not_an_object',
        pointer: '',
      },
    ];
    expect((await post('[{"title": "a", "body": "b"}]')).problem).toMatchObject({ status: 400, errors });
    const put = await service.request('PUT', '/posts/?id=1', { body: '[]', headers: JSON_TYPE });
    expect(put.problem.errors![0]!.detail).toBe('The body must be a JSON object, not an array.');
  });

  it.each<[string, Buffer]>([
    ['a Latin-1 letter', Buffer.from('{"title": "\xe9", "body": ""}', 'latin1')],
    [
      'half a character',
      Buffer.concat([Buffer.from('{"title": "a", "body": "'), Buffer.from([0xf0, 0x9f]), Buffer.from('"}')]),
    ],
    [
      'an overlong form',
      Buffer.concat([Buffer.from('{"title": "'), Buffer.from([0xc0, 0xaf]), Buffer.from('", "body": ""}')]),
    ],
    [
      'a surrogate in UTF-8',
      Buffer.concat([
        Buffer.from('{"title": "'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('", "body": ""}'),
      ]),
    ],
    ['UTF-16', Buffer.from('\uFEFF{"title": "a", "body": ""}', 'utf16le')],
  ])('is refused with bytes that are not UTF-8: %s', async (_, body) => {
    const response = await post(body);
    expect(response.problem).toMatchObject({
      errors: [{ detail: 'The body is not UTF-8.', code: 'not_utf8', pointer: '' }],
    });
  });

  it.each([
    ['arrays', (n: number) => `{"title": ${'['.repeat(n)}${']'.repeat(n)}, "body": "b"}`],
    ['objects', (n: number) => `{"title": ${'{"a":'.repeat(n)}1${'}'.repeat(n)}, "body": "b"}`],
    ['brackets that are never closed', (n: number) => '['.repeat(n)],
    ['a million values', (n: number) => `{"title": [${'0,'.repeat(n)}0], "body": "b"}`],
    ['a million fields', (n: number) => `{${Array.from({ length: n }, (_, i) => `"${i}":0`).join()}}`],
  ])('is refused with a short problem when it consists of %s', async (_, make) => {
    const response = await post(make(1_000_000));
    expect(response.status).toBe(400);
    expect(response.bytes.length).toBeLessThan(20_000);
  });

  it('is not quoted in the problem or the log', async () => {
    const response = await post('{"title": "s3cret", "body": s3cret}');
    expect(response.text).not.toContain('s3cret');
    expect(JSON.stringify(service.log)).not.toContain('s3cret');
  });
});

describe('a form', () => {
  it('ignores an empty pub_date and id', async () => {
    const before = Date.now();
    const form = { id: '', title: 'a', pub_date: '', body: '' };
    const { pub_date, ...rest } = (await service.request('POST', '/posts/', { form })).json<PostJson>();
    expect(rest).toEqual({ id: expect.any(Number), title: 'a', body: '' });
    expect(Date.parse(pub_date)).toBeGreaterThanOrEqual(before);

    const parts = Object.entries(form).map(([name, value]) => field(name, value));
    expect((await multipart(parts)).status).toBe(201);
  });

  it('ignores an empty pub_date and id on PUT, too', async () => {
    const created = await service.create({ pub_date: '2001-02-03T04:05:06.000Z' });
    const form = { id: '', title: 'New', pub_date: '', body: 'c' };
    const response = await service.request('PUT', `/posts/?id=${created.id}`, { form });
    expect(response.json()).toEqual({
      id: created.id,
      title: 'New',
      pub_date: '2001-02-03T04:05:06.000Z',
      body: 'c',
    });
  });

  it('does not ignore an empty title', async () => {
    const response = await service.request('POST', '/posts/', { form: { title: '', body: '' } });
    expect(response.problem.errors).toEqual([
      { detail: 'The title must not be empty or only white space.', code: 'blank', pointer: '/title' },
    ]);
  });

  it.each(['01', '+1', '1.0', '1e0', ' 1', '0x1', '-1', '0', '9007199254740992', 'one'])(
    'accepts only canonical decimals as numbers, not %s',
    async (id) => {
      const form = { id, title: 'a', body: 'b' };
      const response = await service.request('PUT', '/posts/', { form });
      expect(response.problem).toMatchObject({ status: 400, errors: [{ pointer: '/id' }] });
      expect((await service.request('POST', '/posts/', { form })).status).toBe(201);
    },
  );

  it.each([
    ['title=a&body=b', { title: 'a', body: 'b' }],
    ['title=a+b&body=%2B%26%3D', { title: 'a b', body: '+&=' }],
    ['title=a=b&body==', { title: 'a=b', body: '=' }],
    ['title=%C3%A9%F0%9F%98%80&body', { title: 'é😀', body: '' }],
    ['&&title=a&&body=b&', { title: 'a', body: 'b' }],
    ['%74itle=a&bod%79=b', { title: 'a', body: 'b' }],
    ['title=\u00e9&body=\u{1F600}', { title: 'é', body: '😀' }],
    ['title=1&body=null', { title: '1', body: 'null' }],
    ['title=a&body=%0D%0A', { title: 'a', body: '\r\n' }],
    ['\uFEFFtitle=a&body=b', { title: 'a', body: 'b' }],
  ])('is read as %s', async (body, expected) => {
    expect((await post(body, FORM_TYPE)).json()).toMatchObject(expected);
  });

  it.each([
    ['title=a&body=%', ['pointer /body']],
    ['title=%zz&body=b', ['pointer /title']],
    ['title=%ff&body=b', ['pointer /title']],
    ['title=%ed%a0%80&body=b', ['pointer /title']],
    ['title=%00a&body=b', ['pointer /title']],
    ['title=a&title=a&body=b', ['pointer /title']],
    ['title=a&body=b&id=1&id=2', ['pointer /id']],
    ['title=a&body=b&author=c', ['pointer /author']],
    ['title[]=a&body=b', ['pointer /title[]', 'pointer /title']],
    ['title=a&body=b&%ff=c', ['pointer ']],
    ['title=a&body=b&=c', ['pointer /']],
    ['', ['pointer /title', 'pointer /body']],
    [
      '{"title": "a", "body": "b"}',
      ['pointer /{"title": "a", "body": "b"}', 'pointer /title', 'pointer /body'],
    ],
  ])('is refused as %s', async (body, places) => {
    const response = await post(body, FORM_TYPE);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces).toEqual(places);
  });
});

describe('multipart/form-data', () => {
  it('may have a preamble, an epilogue and parts with media types', async () => {
    const body = [
      'preamble',
      '--XX',
      'Content-Type: text/plain; charset=UTF-8',
      'Content-Disposition: form-data; name=title',
      '',
      'é',
      '--XX  ',
      'content-disposition: Form-Data; name="body"',
      '',
      '--X\r\n--XXX not quite',
      '--XX--',
      'epilogue',
    ].join('\r\n');
    const response = await post(body, { 'Content-Type': 'multipart/form-data; boundary="XX"' });
    // A line that starts with the boundary ends the part.
    expect(response.status).toBe(400);
    const mended = await post(body.replace('--XXX not quite', '-- XX not at all'), {
      'Content-Type': 'multipart/form-data; boundary="XX"',
    });
    expect(mended.json()).toMatchObject({ title: 'é', body: '--X\r\n-- XX not at all' });
  });

  it.each([
    ['a file', 'Content-Disposition: form-data; name="body"; filename="a.txt"\r\n\r\nb', 'pointer /body'],
    [
      'a file without a name',
      'Content-Disposition: form-data; name="body"; filename=""\r\n\r\nb',
      'pointer /body',
    ],
    [
      'another charset',
      'Content-Disposition: form-data; name="body"\r\nContent-Type: text/plain; charset=latin1\r\n\r\nb',
      'pointer /body',
    ],
    [
      'a transfer encoding',
      'Content-Disposition: form-data; name="body"\r\nContent-Transfer-Encoding: base64\r\n\r\nYg==',
      'pointer /body',
    ],
    ['no name', 'Content-Disposition: form-data\r\n\r\nb', 'pointer '],
    ['no header', 'b', 'pointer '],
    ['another disposition', 'Content-Disposition: attachment; name="body"\r\n\r\nb', 'pointer '],
    ['a field twice', `${field('body', 'b')}\r\n--XX\r\n${field('body', 'b')}`, 'pointer /body'],
    ['an unknown field', `${field('body', 'b')}\r\n--XX\r\n${field('author', 'b')}`, 'pointer /author'],
  ])('is refused with %s', async (_, part, place) => {
    const response = await multipart([field('title', 'a'), part]);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces).toContain(place);
  });

  it.each([
    ['no boundary in the type', 'multipart/form-data', '--XX\r\n', 'header Content-Type'],
    ['an empty boundary', 'multipart/form-data; boundary=""', '--\r\n', 'header Content-Type'],
    ['another boundary in the body', 'multipart/form-data; boundary=YY', '--XX\r\n', 'pointer '],
    ['no end', 'multipart/form-data; boundary=XX', `--XX\r\n${field('title', 'a')}\r\n`, 'pointer '],
    ['no body', 'multipart/form-data; boundary=XX', '', 'pointer '],
  ])('is refused with %s', async (_, type, body, place) => {
    const response = await post(body, { 'Content-Type': type });
    expect(response.status).toBe(400);
    expect(response.faultyPlaces).toEqual([place]);
  });
});

describe('the faults of a request', () => {
  it('are all reported in one response, for query and body', async () => {
    const response = await service.put('/posts/?id=x&all=1', {
      id: 0,
      title: '',
      pub_date: 'soon',
      body: 7,
      author: 'me',
    });
    expect(response.problem).toMatchObject({
      status: 400,
      detail: 'The request has 7 faults; nothing was changed.',
    });
    expect(response.faultyPlaces.toSorted()).toEqual([
      'parameter all',
      'parameter id',
      'pointer /author',
      'pointer /body',
      'pointer /id',
      'pointer /pub_date',
      'pointer /title',
    ]);
    for (const { detail } of response.problem.errors!) expect(detail).toMatch(/^[A-Z].*\.$/);
  });

  it('are reported for the query even when the body cannot be read at all', async () => {
    const response = await service.request('POST', '/posts/?x=1', { body: '{', headers: JSON_TYPE });
    expect(response.faultyPlaces).toEqual(['parameter x', 'pointer ']);
  });

  it('are limited to about 100', async () => {
    const json = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 0]));
    const { errors } = (await service.post(json)).problem;
    expect(errors!.length).toBeLessThanOrEqual(110);
  });
});

describe('Expect: 100-continue', () => {
  const head = (fields: string) =>
    `POST /posts/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`;

  it('gets 100 Continue before an acceptable body is read', async () => {
    const body = JSON.stringify(aPost());
    const raw = await rawExchange(
      service.port,
      head(`Content-Type: application/json\r\nContent-Length: ${body.length}`) + body,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  });

  it('gets the refusal without 100 Continue when the body is not acceptable', async () => {
    const raw = await rawExchange(service.port, head('Content-Type: text/plain\r\nContent-Length: 5'));
    expect(parseRawResponse(raw).line).toBe('HTTP/1.1 415 Unsupported Media Type');
  });
});

describe('GET', () => {
  it.each(['/', '/posts/'])('of %s ignores a body', async (path) => {
    const response = await service.request('GET', path, {
      body: '{',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(response.status).toBe(200);
  });
});
