import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { encode } from '../support/encode.js';
import { aPost, type PostJson } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';

// Above what the other tests send.
const LIMIT = 100_000;
const service = await startService({ MAX_BODY_BYTES: String(LIMIT) });

const JSON_TYPE = { 'Content-Type': 'application/json' };

const TOO_LARGE = expect.objectContaining({
  code: 'body-too-large',
  status: 413,
  errors: [expect.objectContaining({ code: 'too_large', limit: LIMIT, pointer: '' })],
});

function post(body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return service.request('POST', '/posts/', { body, headers });
}

// src/input/json-body.spec.ts and src/http/bodies/forms.spec.ts have all forms of bodies.
describe('the media types of a post', () => {
  const texts = { title: 'Ünï & + = %41 😀', body: 'a\r\nb\n "c"\t' };
  const sent = aPost({ ...texts, pub_date: '2026-11-20T14:40:00+01:00' });
  const stored = { ...sent, pub_date: '2026-11-20T13:40:00.000Z' };

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'store the same post, compressed or not: %s',
    async (mediaType) => {
      const { type, body } = encode(mediaType, sent);
      const headers = { 'Content-Type': type };
      const responses = [
        await post(body, headers),
        await post(gzipSync(body), { ...headers, 'Content-Encoding': 'gzip' }),
      ];
      for (const response of responses) {
        expect(response.status).toBe(201);
        const { id, ...rest } = response.json<PostJson>();
        expect(rest).toEqual(stored);
        expect((await service.get(`/posts/${id}/`)).json()).toEqual({ id, ...stored });
      }
    },
  );

  /** Sends a post to each operation that takes one. */
  async function sendAs(headers: Record<string, string>) {
    const { id } = await service.create();
    const body = { headers, chunks: [JSON.stringify(aPost())] };
    const created = await service.request('POST', '/posts/', body);
    const replaced = await service.request('PUT', `/posts/${id}/`, body);
    return [created, replaced, await service.request('PUT', `/posts/?id=${id}`, body)];
  }

  it.each(['application/json', 'Application/JSON; charset=utf8; version=2'])('may be %s', async (type) => {
    const responses = await sendAs({ 'Content-Type': type });
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 200]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{}, /^A body needs a Content-Type\.$/],
    [{ 'Content-Type': '' }, /^Understood here: application\/json, .*, multipart\/form-data/],
    [{ 'Content-Type': 'text/plain' }, /^Understood here: application\/json, /],
    [{ 'Content-Type': 'application/json; charset=""' }, /^Only the charset UTF-8 is supported\.$/],
    [{ 'Content-Type': 'application/json; charset=latin1' }, /^Only the charset UTF-8 is supported\.$/],
    ...['zstd', 'gzip, br', 'gzip;q=1', '*'].map((coding): [Record<string, string>, RegExp] => {
      return [{ ...JSON_TYPE, 'Content-Encoding': coding }, /^Supported in .*: one of gzip, deflate, br\.$/];
    }),
  ])('may not be another one, in another charset or coding: %j', async (headers, sentence) => {
    const supported = 'Content-Encoding' in headers ? 'gzip, deflate, br' : undefined;
    const detail = expect.stringMatching(sentence);
    for (const { problem, headers: fields } of await sendAs(headers)) {
      expect(problem).toMatchObject({ status: 415, code: 'unsupported-media-type', detail });
      expect(fields['accept-post']).toMatch(/^application\/json, .*, multipart\/form-data/);
      expect(fields['accept-encoding']).toBe(supported);
    }
  });

  it('are needed only with a body: an empty one without a type is none', async () => {
    const codeOf = async (headers: Record<string, string>) =>
      (await service.request('POST', '/posts/', { headers })).problem.errors![0]!.code;
    expect(await codeOf({ 'Content-Length': '0' })).toBe('required');
    expect(await codeOf({ 'Content-Length': '0', ...JSON_TYPE })).toBe('required');
  });
});

describe('a Content-Encoding', () => {
  const HELLO = Buffer.from(JSON.stringify(aPost()));
  const GZIP = gzipSync(HELLO);
  const members = Buffer.concat([gzipSync(HELLO.subarray(0, 9)), gzipSync(HELLO.subarray(9))]);

  it.each<[string, string, Buffer]>([
    ['no coding', 'identity', HELLO],
    ['gzip of two members', ' GZip ', members],
    ['gzip by its old name', 'x-gzip', GZIP],
    ['deflate', 'deflate', deflateSync(HELLO)],
    ['br', 'br', brotliCompressSync(HELLO)],
  ])('is read, in one packet or byte by byte: %s', async (_, coding, bytes) => {
    const headers = { ...JSON_TYPE, 'Content-Encoding': coding };
    for (const chunks of [[bytes], Array.from(bytes, (byte) => Buffer.of(byte))])
      expect((await service.request('POST', '/posts/', { headers, chunks })).status).toBe(201);
  });

  it.each<[string, string, Buffer]>([
    ['no data', 'gzip', Buffer.of()],
    ['plain text', 'gzip', HELLO],
    ['a wrong checksum', 'gzip', Buffer.from(GZIP).fill(0, GZIP.length - 8, GZIP.length - 4)],
    ['truncated data', 'br', brotliCompressSync(HELLO).subarray(0, -1)],
    ['bytes after the end', 'gzip', Buffer.concat([GZIP, Buffer.from('junk')])],
    ['bytes after the end', 'br', Buffer.concat([brotliCompressSync(HELLO), Buffer.from('junk')])],
  ])('does not take %s as %s', async (_, coding, bytes) => {
    const { problem } = await post(bytes, { ...JSON_TYPE, 'Content-Encoding': coding });
    expect(problem).toMatchObject({ status: 400, errors: [{ code: 'malformed_encoding', pointer: '' }] });
  });

  it('of more data than the limit that inflate to nothing is refused', async () => {
    const nothing = Buffer.concat(Array.from({ length: LIMIT / 20 + 1 }, () => gzipSync('')));
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };
    const { problem } = await service.request('POST', '/posts/', { headers, chunks: [nothing] });
    expect(problem).toEqual(TOO_LARGE);
  });

  it('of a bomb is refused before its end, on a path without a limit too', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const { problem } = await service.import(
      gzipSync(`{"title":"a","body":""${' '.repeat(90_000)}}\n`.repeat(200)),
      headers,
    );
    expect(problem).toMatchObject({ status: 413, detail: expect.stringContaining('600') });
  });
});

describe('a JSON body', () => {
  it('that is an array is refused with the media type for many posts', async () => {
    const detail = 'The body must be a JSON object, not an array.';
    const advice = 'To send many objects, write one a line, with the Content-Type application/x-ndjson.';
    const fault = { code: 'not_an_object', pointer: '' };
    for (const array of ['[]', `[${'{"a":0},'.repeat(10_000)}`])
      expect((await post(array)).problem.errors).toEqual([{ ...fault, detail: `${detail} ${advice}` }]);
    const put = await service.request('PUT', '/posts/?id=1', { body: '[]', headers: JSON_TYPE });
    expect(put.problem.errors).toEqual([{ ...fault, detail }]);
  });

  it('is not quoted in the problem or the log', async () => {
    const response = await post('{"title": "s3cret", "body": s3cret}');
    expect(response.text).not.toContain('s3cret');
    expect(JSON.stringify(service.log)).not.toContain('s3cret');
  });
});

describe('the faults of a request', () => {
  it.each([
    ['POST', '', 'title=a&title=b&x=1', ['repeated /title', 'unknown_field /x', 'required /body']],
    ['PUT', '?id=', 'title=&body=', ['blank id']],
    ['DELETE', '?id=', undefined, ['blank id']],
  ])('are reported at once, and each once: %s /posts/%s', async (method, query, body, faults) => {
    const headers: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { problem } = await service.request(method, `/posts/${query}`, { body, headers });
    const found = problem.errors!.map((fault) => `${fault.code} ${fault.pointer ?? fault.parameter}`);
    expect(found).toEqual(faults);
  });

  it('are limited to about 100', async () => {
    const json = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 0]));
    expect((await service.post(json)).problem.errors!.length).toBeLessThanOrEqual(110);
  });
});

describe('Expect: 100-continue', () => {
  it('gets 100 Continue before an acceptable body is read, and otherwise the refusal', async () => {
    const body = JSON.stringify(aPost());
    const head = (type: string) => {
      const fields = [`Content-Type: ${type}`, `Content-Length: ${body.length}`];
      return headOf('POST /posts/', 'Connection: close', 'Expect: 100-continue', ...fields);
    };
    const accepted = await rawExchange(service.port, head('application/json') + body);
    expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
    const { line } = parseRawResponse(await rawExchange(service.port, head('text/plain')));
    expect(line).toBe('HTTP/1.1 415 Unsupported Media Type');
  });
});

describe('GET or DELETE', () => {
  it('ignores a body', async () => {
    const { path } = await service.create();
    const sent = { body: '{', headers: { 'Content-Type': 'text/plain' } };
    expect((await service.request('GET', '/posts/', sent)).status).toBe(200);
    expect((await service.request('DELETE', path, sent)).status).toBe(204);
  });
});

/** A post whose JSON has exactly this many bytes, mostly in two-byte characters. */
function postOf(bytes: number): string {
  const empty = JSON.stringify(aPost({ body: '' }));
  const rest = bytes - Buffer.byteLength(empty);
  return JSON.stringify(aPost({ body: 'é'.repeat(rest >> 1) + 'x'.repeat(rest & 1) }));
}

describe('MAX_BODY_BYTES', () => {
  it.each<[string, Record<string, string>, (body: string) => object]>([
    ['with its length', JSON_TYPE, (body) => ({ body })],
    ['in chunks', JSON_TYPE, (body) => ({ chunks: [body.slice(0, 100), body.slice(100)] })],
    ['compressed', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, (body) => ({ body: gzipSync(body) })],
  ])('is the largest accepted size of a body, sent %s', async (_, headers, send) => {
    const existing = await service.create();
    const fits = await service.request('POST', '/posts/', { headers, ...send(postOf(LIMIT)) });
    expect(fits.status).toBe(201);
    for (const bytes of [LIMIT + 1, LIMIT * 80]) {
      const options = { headers, ...send(postOf(bytes)) };
      expect((await service.request('POST', '/posts/', options)).problem).toEqual(TOO_LARGE);
      // The connection stays usable.
      expect((await service.request('PUT', existing.path, options)).problem).toEqual(TOO_LARGE);
      expect((await service.get(existing.path)).json()).toEqual(existing);
    }
  });

  it('rejects a too large Content-Length before the body is sent', async () => {
    const fields = ['Content-Type: application/json', `Content-Length: ${LIMIT + 1}`, 'Connection: close'];
    const head = headOf('POST /posts/', ...fields, 'Expect: 100-continue');
    const { line, body } = parseRawResponse(await rawExchange(service.port, head));
    expect(line).toBe('HTTP/1.1 413 Payload Too Large');
    expect(JSON.parse(body)).toEqual(TOO_LARGE);
  });
});
