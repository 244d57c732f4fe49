import { gzipSync } from 'node:zlib';
import { aPost, type PostJson } from '../support/posts.js';
import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { startService } from '../support/service.js';

const service = await startService();

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART_TYPE = { 'Content-Type': 'multipart/form-data; boundary=XX' };

function post(body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return service.request('POST', '/posts/', { body, headers });
}

function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--XX\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--XX--\r\n`;
}

// The specs of src/http/request have all forms of bodies, media types and codings.
describe('the media types of a post', () => {
  const sent = { title: 'Ünï & + = %41 😀', pub_date: '2026-11-20T14:40:00+01:00', body: 'a\r\nb\n "c"\t' };
  const stored = { ...sent, pub_date: '2026-11-20T13:40:00.000Z' };
  const form = { ...sent, id: '' };

  it.each<[Record<string, string>, string | Buffer]>([
    [JSON_TYPE, JSON.stringify(sent)],
    [{ ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(JSON.stringify(sent))],
    [FORM_TYPE, new URLSearchParams(form).toString()],
    [MULTIPART_TYPE, multipart(form)],
  ])('store the same post: %j', async (headers, body) => {
    const response = await post(body, headers);
    const { id, ...rest } = response.json<PostJson>();
    expect(response.status).toBe(201);
    expect(rest).toEqual(stored);
    expect((await service.get(`/posts/${id}/`)).json()).toEqual({ id, ...stored });
  });

  it.each([
    ['another media type', { 'Content-Type': 'text/plain' }],
    ['several content codings', { ...JSON_TYPE, 'Content-Encoding': 'gzip, br' }],
    ['no media type', {}],
  ])('may not be %s', async (_, headers) => {
    const { path, id } = await service.create();
    const body = JSON.stringify(aPost());
    const before = await service.count();
    for (const target of ['POST /posts/', `PUT ${path}`, `PUT /posts/?id=${id}`]) {
      const [method, url] = target.split(' ') as [string, string];
      const response = await service.request(method, url, { body, headers });
      expect(response.problem).toMatchObject({ status: 415, code: 'unsupported-media-type' });
      expect(response.headers['accept-post']).toMatch(/^application\/json, .*, multipart\/form-data/);
    }
    expect(await service.count()).toBe(before);
  });
});

describe('a JSON body', () => {
  it('that is an array is refused with the media type for many posts', async () => {
    const detail = 'The body must be a JSON object, not an array.';
    const advice = 'To send many objects, write one a line, with the Content-Type application/x-ndjson.';
    const fault = { code: 'not_an_object', pointer: '' };
    expect((await post('[]')).problem.errors).toEqual([{ ...fault, detail: `${detail} ${advice}` }]);
    const put = await service.request('PUT', '/posts/?id=1', { body: '[]', headers: JSON_TYPE });
    expect(put.problem.errors).toEqual([{ ...fault, detail }]);
  });

  it('is not quoted in the problem or the log', async () => {
    const response = await post('{"title": "s3cret", "body": s3cret}');
    expect(response.text).not.toContain('s3cret');
    expect(JSON.stringify(service.log)).not.toContain('s3cret');
  });
});

describe('a form', () => {
  it('with an empty pub_date gets the current time', async () => {
    const before = Date.now();
    const response = await service.request('POST', '/posts/', {
      form: { title: 'a', pub_date: '', body: '' },
    });
    expect(Date.parse(response.json<PostJson>().pub_date)).toBeGreaterThanOrEqual(before);
  });

  it('accepts only canonical decimals as numbers', async () => {
    const form = { id: '01', title: 'a', body: 'b' };
    expect((await service.request('PUT', '/posts/', { form })).faultyPlaces).toEqual(['pointer /id']);
    expect((await service.request('POST', '/posts/', { form })).status).toBe(201);
  });
});

describe('the faults of a request', () => {
  it.each([
    ['malformed JSON', '{', JSON_TYPE],
    [
      'a corrupt coding',
      gzipSync('{"title":"a","body":""}').subarray(0, -9),
      { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    ],
  ])('are reported for the query even when the body cannot be read at all: %s', async (_, body, headers) => {
    const response = await service.request('POST', '/posts/?x=1', { body, headers });
    expect(response.faultyPlaces).toEqual(['parameter x', 'pointer ']);
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
