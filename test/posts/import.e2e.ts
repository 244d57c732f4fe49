import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { Database } from '../../src/database/database.js';
import { PostWritesRepository } from '../../src/posts/writes/post-writes.repository.js';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import { type PostJson, postsNamed } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService({ MAX_BODY_BYTES: '100000' });
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.stop());

const NDJSON = 'application/x-ndjson';

type Fields = RequestOptions['headers'];

function importLines(lines: readonly unknown[], headers: Fields = {}): Promise<HttpResponse> {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return service.import(body, headers);
}

/** The result of an import. */
interface Imported {
  readonly created: number;
  readonly first_id: number;
  readonly last_id: number;
}

describe('POST /posts/ with Content-Type: application/x-ndjson', () => {
  it('stores one post per line and returns the count, the lowest and the highest id', async () => {
    const before = await service.count();
    const posts = postsNamed('first', 1_234);
    const response = await importLines(posts, { 'Content-Type': 'application/jsonl' });
    expect([response.status, response.headers['content-type']]).toEqual([201, 'application/json']);
    const { created, first_id, last_id } = response.json<Imported>();
    expect([created, last_id - first_id]).toEqual([1_234, 1_233]);
    expect(await service.count()).toBe(before + 1_234);
    const query = `/posts/?ordering=id&fields=title,body&offset=${before}`;
    const { text } = await service.get(query, { Accept: NDJSON });
    const stored = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(stored).toEqual(posts.map(({ title, body }) => ({ title, body })));
    // The stream reads the database many times; only the first time counts the offset.
    const rest = await service.get('/posts/?ordering=-id&fields=id&offset=700', { Accept: NDJSON });
    const ids = Array.from({ length: 1_234 - 700 }, (_, index) => last_id - 700 - index);
    expect(rest.text.startsWith(ids.map((id) => `{"id":${id}}\n`).join(''))).toBe(true);
    const one = await service.get(`/posts/${first_id}/`);
    expect(one.etag).toBe(`"${first_id}-1"`);
    expect((await service.create()).id).toBe(last_id + 1);
  });

  it('accepts a byte order mark, CRLF, blank lines and gzip, and sets missing dates to now', async () => {
    const bytes = gzipSync('\ufeff{"title":"crlf","body":""}\r\n\r\n{"title":"crlf","body":""}');
    const response = await service.import(bytes, { 'Content-Encoding': 'gzip' });
    expect(response.json()).toMatchObject({ created: 2 });
    const [post] = (await service.get('/posts/?title=crlf')).json<PostJson[]>();
    expect(Math.abs(Date.parse(post!.pub_date) - Date.now())).toBeLessThan(60_000);
    const nothing = await importLines(['', ' \t\r', '']);
    expect([nothing.status, nothing.json()]).toEqual([201, { created: 0, first_id: null, last_id: null }]);
    expect((await importLines(['x'], { 'Content-Encoding': 'gzip' })).status).toBe(400);
  });

  it('stores nothing when a line is invalid, and reports each fault with its line', async () => {
    const before = await service.count();
    const response = await importLines([
      { title: 'good', body: '' },
      '',
      { title: ' ', body: 42, colour: 'red' },
      '{"title": ',
      { title: 'x', body: '', pub_date: '2026-02-30' },
      '[]',
      { title: 'good', body: '' },
    ]);
    expect(response.status).toBe(400);
    const places = response.problem.errors!.map((fault) => `${Reflect.get(fault, 'line')} ${fault.pointer}`);
    expect(places).toEqual(['3 /colour', '3 /title', '3 /body', '4 ', '5 /pub_date', '6 ']);
    expect(await service.count()).toBe(before);
    expect((await service.get('/posts/?title=good')).json()).toEqual([]);
  });

  it('applies the body limit to each line, not to the whole import', async () => {
    const line = { title: 'large', body: 'x'.repeat(90_000) };
    expect((await importLines([line, line, line])).json()).toMatchObject({ created: 3 });
    const response = await importLines([line, { ...line, body: 'x'.repeat(100_000) }]);
    expect(response.problem).toMatchObject({ status: 413, errors: [{ code: 'too_large', line: 2 }] });
    expect((await service.get('/posts/?title=large&fields=id')).json()).toHaveLength(3);
  });
});

describe('an export', () => {
  it.each([NDJSON, 'text/csv'])('can be imported, and its posts are equal: %s', async (type) => {
    const list = '/posts/?ordering=id&limit=30';
    const { bytes } = await service.get(list, { Accept: type });
    const { first_id: first } = (await service.import(bytes, { 'Content-Type': type })).json<Imported>();
    const exported = (await service.get(list)).json<PostJson[]>();
    const ids = exported.map((_, index) => first + index);
    const imported = (await service.get(`${list}&id=${ids.join()}`)).json<PostJson[]>();
    expect(imported).toEqual(exported.map((post, index) => ({ ...post, id: ids[index] })));
  });
});

describe('an export with the versions of its posts', () => {
  const exported = '/posts/?ordering=id&limit=2&fields=id,title,pub_date,body,modified,etag';

  it.each([NDJSON, 'text/csv'])('can be imported, as new posts: %s', async (type) => {
    const { bytes } = await service.get(exported, { Accept: type });
    const before = await service.count();
    expect((await service.import(bytes, { 'Content-Type': type })).json()).toMatchObject({ created: 2 });
    expect(await service.count()).toBe(before + 2);
  });
});

describe('an import that replaces large posts', () => {
  it('is refused while they are replaced, when it takes longer than other writes can wait', async () => {
    const large = await service.createAll(
      Array.from({ length: 6 }, () => ({ title: 'large', body: 'x'.repeat(20_000) })),
    );
    const writes = service.app.get(PostWritesRepository);
    const find = writes.findForUpdate.bind(writes);
    let read = 0;
    let waitedMs = 0;
    const { performance: clock } = globalThis;
    const now = clock.now.bind(clock);
    jest.spyOn(clock, 'now').mockImplementation(() => now() + waitedMs);
    jest.spyOn(writes, 'findForUpdate').mockImplementation(async (transaction, ids) => {
      if (ids.length > 1) return find(transaction, ids);
      read += 1;
      waitedMs += 600_000;
      return find(transaction, ids);
    });
    jest.replaceProperty(service.app.get(Database), 'maxWriteMs', 1_500_000);
    const lines = large.map(({ id }) => ({ id, title: 'replaced', body: 'small' }));
    const { problem } = await importLines(lines, { Prefer: 'resolution=merge-duplicates' });
    expect(problem).toMatchObject({ status: 413, code: 'import-too-long' });
    expect(read).toBe(3);
    expect((await service.get('/posts/?title=replaced')).json()).toEqual([]);
  });
});

describe('POST /posts/ with Content-Type: text/csv', () => {
  it('names a column without a name', async () => {
    const { problem } = await service.import(',title,body\r\n0,a,b\r\n', { 'Content-Type': 'text/csv' });
    const fault = { detail: 'Column 1 has no name.', code: 'blank', line: 1, pointer: '/' };
    expect(problem.errors).toEqual([fault]);
  });

  it('stores nothing when a record is invalid, and reports the line where it begins', async () => {
    const before = await service.count();
    const body = 'title,body,pub_date\r\ngood,"1\r\n2",\r\na,b\r\n ,"\r\n",x\r\nq"q,,\r\ngood,,\r\n';
    const { problem } = await service.import(body, { 'Content-Type': 'text/csv; header=present' });
    expect(problem.errors).toMatchObject(
      [
        { detail: /is 2; it must be that of the header, 3/, code: 'malformed_csv', line: 4, pointer: '' },
        { detail: /title/, code: 'blank', line: 5, pointer: '/title' },
        { detail: /ISO 8601/, code: 'not_a_date', line: 5, pointer: '/pub_date' },
        { detail: /with a quote must be quoted/, code: 'malformed_csv', line: 7, pointer: '/title' },
      ].map((fault) => ({ ...fault, detail: expect.stringMatching(fault.detail) })),
    );
    expect(await service.count()).toBe(before);
  });
});
