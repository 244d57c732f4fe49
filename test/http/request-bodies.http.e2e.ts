import { gzipSync } from 'node:zlib';
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

  // src/http/request/body-format.spec.ts has all media types and content codings.
  it.each([
    ['another media type', { 'Content-Type': 'text/plain' }],
    ['another charset', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['several content codings', { ...JSON_TYPE, 'Content-Encoding': 'gzip, br' }],
    ['no media type', {}],
  ])('may not be %s', async (_, headers) => {
    const { path, id } = await service.create();
    const body = JSON.stringify(aPost());
    const before = await service.count();
    for (const [method, target] of [
      ['POST', '/posts/'],
      ['PUT', path],
      ['PUT', `/posts/?id=${id}`],
    ] as const) {
      const response = await service.request(method, target, { body, headers });
      expect(response.problem).toMatchObject({ status: 415, code: 'unsupported-media-type' });
      expect(response.headers['accept-post']).toMatch(
        /^application\/json, application\/x-www-form-urlencoded, multipart\/form-data/,
      );
    }
    expect(await service.count()).toBe(before);
  });
});

// src/http/request/request-body.spec.ts has all codings.
describe('a body with a Content-Encoding', () => {
  const bytes = Buffer.from(JSON.stringify(aPost({ body: 'é'.repeat(10_000) })));
  const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };

  it('is decoded', async () => {
    const response = await post(gzipSync(bytes), headers);
    expect(response.json<PostJson>().body).toBe('é'.repeat(10_000));
  });

  it('is refused with 400 when it is corrupt', async () => {
    const response = await post(gzipSync(bytes).subarray(0, -9), headers);
    expect(response.problem).toMatchObject({ status: 400, errors: [{ pointer: '' }] });
  });
});

// src/http/request/json-body.spec.ts has all forms.
describe('a JSON body', () => {
  it('may come in pieces that cut its characters, and with a repeated key, of which the last counts', async () => {
    const bytes = Buffer.from('{"title": 1, "body": "x", "title": "last", "body": "😀é"}');
    const chunks = [...bytes].map((byte) => Buffer.of(byte));
    const response = await service.request('POST', '/posts/', { headers: JSON_TYPE, chunks });
    expect(response.json()).toMatchObject({ title: 'last', body: '😀é' });
  });

  it('that is an array is refused with the media type for many posts', async () => {
    const detail = 'The body must be a JSON object, not an array.';
    const advice = 'To send many objects, write one a line, with the Content-Type application/x-ndjson.';
    const fault = { code: 'not_an_object', pointer: '' };
    expect((await post('[]')).problem.errors).toEqual([{ ...fault, detail: `${detail} ${advice}` }]);
    const put = await service.request('PUT', '/posts/?id=1', { body: '[]', headers: JSON_TYPE });
    expect(put.problem.errors).toEqual([{ ...fault, detail }]);
  });

  it.each([
    ['arrays', (n: number) => `{"title": ${'['.repeat(n)}${']'.repeat(n)}, "body": "b"}`],
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

  it('accepts only canonical decimals as numbers', async () => {
    const form = { id: '01', title: 'a', body: 'b' };
    const response = await service.request('PUT', '/posts/', { form });
    expect(response.problem).toMatchObject({ status: 400, errors: [{ pointer: '/id' }] });
    expect((await service.request('POST', '/posts/', { form })).status).toBe(201);
  });
});

describe('the faults of a request', () => {
  it('are reported for the query even when the body cannot be read at all', async () => {
    const response = await service.request('POST', '/posts/?x=1', { body: '{', headers: JSON_TYPE });
    expect(response.faultyPlaces).toEqual(['parameter x', 'pointer ']);
  });

  it('are limited to about 100', async () => {
    const json = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 0]));
    expect((await service.post(json)).problem.errors!.length).toBeLessThanOrEqual(110);
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

describe('GET or DELETE', () => {
  it('ignores a body', async () => {
    const { path } = await service.create();
    const sent = { body: '{', headers: { 'Content-Type': 'text/plain' } };
    expect((await service.request('GET', '/posts/', sent)).status).toBe(200);
    expect((await service.request('DELETE', path, sent)).status).toBe(204);
  });
});
