import { jest } from '@jest/globals';
import { PostWritesRepository } from '../../src/posts/writes/post-writes.repository.js';
import type { HttpResponse } from '../support/http-client.js';
import { listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.stop());

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';
const MERGE = { Prefer: 'resolution=merge-duplicates' };

const merge = (lines: readonly object[], headers = {}): Promise<HttpResponse> =>
  service.import(lines.map((line) => JSON.stringify(line)).join('\n'), { ...MERGE, ...headers });

const read = async (id: number): Promise<PostJson> => (await service.get(`/posts/${id}/`)).json<PostJson>();

/** A page with the versions of its posts, as a program reads it that is about to change them. */
const versionsOf = async (posts: readonly PostJson[]): Promise<(PostJson & { etag: string })[]> => {
  const list = listOf(posts, '&ordering=id&fields=id,title,pub_date,body,modified,etag');
  return (await service.get(list)).json();
};

describe('POST /posts/ with Prefer: resolution=merge-duplicates', () => {
  it('replaces the posts that lines name by their id, and creates the others', async () => {
    const [changed, same, large] = await service.createAll([
      { title: 'one' },
      { title: 'two' },
      { title: 'three', body: 'large '.repeat(10_000) },
    ]);
    const response = await merge([
      { id: changed!.id, title: 'ONE', body: 'new' },
      { id: same!.id, title: same!.title, body: same!.body },
      { title: 'four', body: '' },
      { id: large!.id, title: 'THREE', body: 'small', pub_date: '2026-01-02T03:04:05+00' },
      { title: 'five', body: '' },
    ]);
    const { last_id: last } = response.json<{ last_id: number }>();
    expect(response.shown).toEqual({
      status: 201,
      headers: {
        'cache-control': 'no-cache',
        'content-type': 'application/json',
        location: `${service.baseUrl}/posts/`,
        'preference-applied': 'resolution=merge-duplicates',
        vary: 'Accept, Accept-Encoding',
      },
      body: { created: 2, replaced: 2, unchanged: 1, first_id: last - 1, last_id: last },
    });
    expect(await read(changed!.id)).toEqual({ ...changed, title: 'ONE', body: 'new' });
    expect(await read(same!.id)).toEqual(same);
    const date = '2026-01-02T03:04:05.000Z';
    expect(await read(large!.id)).toEqual({ ...large, title: 'THREE', pub_date: date, body: 'small' });
    const etags = (await versionsOf([changed!, same!, large!])).map(({ etag }) => etag);
    expect(etags).toEqual([`"${changed!.id}-2"`, `"${same!.id}-1"`, `"${large!.id}-2"`]);
  });

  it('can be repeated: a second run changes nothing, and answers 200', async () => {
    const posts = await service.createAll([{ title: 'a' }, { title: 'b' }]);
    const lines = posts.map(({ id, title }) => ({ id, title: `${title} again`, body: '' }));
    const counts = { created: 0, first_id: null, last_id: null };
    const first = await merge(lines);
    expect([first.status, first.headers['location'], first.json()]).toEqual([
      200,
      undefined,
      { ...counts, replaced: 2, unchanged: 0 },
    ]);
    expect((await merge(lines)).json()).toEqual({ ...counts, replaced: 0, unchanged: 2 });
    expect((await versionsOf(posts)).map(({ etag }) => etag)).toEqual(posts.map(({ id }) => `"${id}-2"`));
  });

  it.each([NDJSON, CSV])('takes back an export with versions that was edited: %s', async (type) => {
    const posts = await service.createAll([{ title: 'old one' }, { title: 'old two' }]);
    const list = listOf(posts, '&ordering=id&fields=id,title,pub_date,body,modified,etag');
    const { text } = await service.get(list, { Accept: type });
    const headers = { ...MERGE, 'Content-Type': type };
    expect((await service.import(text, headers)).json()).toMatchObject({ replaced: 0, unchanged: 2 });
    expect((await service.import(text.replaceAll('old', 'new'), headers)).json()).toMatchObject({
      replaced: 2,
    });
    expect((await read(posts[1]!.id)).title).toBe('new two');
    // Their posts have other tags now.
    const refused = await service.import(text, headers);
    expect([refused.status, refused.problem.code]).toEqual([412, 'precondition-failed']);
    expect(refused.problem.errors).toMatchObject(
      posts.map((_, index) => ({
        code: 'outdated',
        line: index + (type === CSV ? 2 : 1),
        pointer: '/etag',
      })),
    );
    expect((await read(posts[0]!.id)).title).toBe('new one');
  });

  it('takes a tag in any form that If-Match takes, and a record of CSV without one', async () => {
    const posts = await service.createAll([{}, {}, {}, {}]);
    const [a, b, c, d] = posts.map(({ id }) => id);
    const records = [
      'etag,id,title,body',
      `"W/""${a}-1""",${a},tag,weak`,
      `"""${b}-1-gzip""",${b},tag,compressed`,
      `,${c},tag,none`,
      ',,tag,created',
    ];
    const response = await service.import(records.join('\r\n'), { ...MERGE, 'Content-Type': CSV });
    expect(response.json()).toMatchObject({ created: 1, replaced: 3 });
    expect((await merge([{ id: d, title: 'tag', body: '', etag: `"${d}-1"` }])).json()).toMatchObject({
      replaced: 1,
    });
  });

  it('names the lines with ids and tags that it cannot use, and stores nothing', async () => {
    const { id, path } = await service.create({ title: 'kept' });
    const before = await service.count();
    const content = { title: 'x', body: '' };
    const lines = [
      { id, ...content },
      { id, ...content },
      { id: 9_007_199_254_740_991, ...content },
      { id: 0, ...content },
      { id: String(id), ...content },
      { id: null, ...content },
      { ...content, etag: '"1-1"' },
      { id: id - 1, ...content, etag: '1-1' },
      { id: id - 1, ...content, etag: '*' },
      { id: id - 1, ...content, etag: '"1-1", "1-2"' },
      { id: id - 1, ...content, etag: 7 },
      { id: id - 1, title: ' ', body: '' },
      { id: id - 1, ...content, version: 1 },
    ];
    const { status, errors } = (await merge(lines)).problem;
    expect(status).toBe(400);
    expect(errors!.map((fault) => `${Reflect.get(fault, 'line')} ${fault.code} ${fault.pointer}`)).toEqual([
      '2 repeated /id',
      '3 unknown_id /id',
      '4 not_an_integer /id',
      '5 not_an_integer /id',
      '6 not_an_integer /id',
      '7 required /id',
      '8 malformed /etag',
      '9 malformed /etag',
      '10 malformed /etag',
      '11 malformed /etag',
      '12 blank /title',
      '13 unknown_field /version',
    ]);
    expect([await service.count(), (await service.get(path)).json<PostJson>().title]).toEqual([
      before,
      'kept',
    ]);
    // A fault of the input comes before a precondition that does not hold.
    const mixed = [
      { id, ...content, etag: '"0-0"' },
      { title: '', body: '' },
    ];
    expect((await merge(mixed)).status).toBe(400);
  });

  it('reports the first hundred lines whose posts were changed', async () => {
    const posts = await service.createAll(Array.from({ length: 120 }, () => ({})));
    const lines = posts.map(({ id }) => ({ id, title: 'x', body: '', etag: '"0-0"' }));
    const { status, errors } = (await merge([{ title: 'new', body: '' }, ...lines])).problem;
    expect([status, errors!.length, errors!.at(-1)]).toMatchObject([412, 100, { line: 101 }]);
    expect((await service.get(listOf(posts.slice(0, 100), '&title=x'))).json()).toEqual([]);
  });

  it('answers a repeated Idempotency-Key as the first time', async () => {
    const { id } = await service.create();
    const headers = { 'Idempotency-Key': `merge ${id}` };
    const lines = [{ id, title: 'first', body: '' }];
    const first = await merge(lines, headers);
    await service.put(`/posts/${id}/`, { title: 'second', body: '' });
    const replayed = await merge(lines, headers);
    expect([replayed.status, replayed.text, replayed.headers['idempotency-replayed']]).toEqual([
      200,
      first.text,
      'true',
    ]);
    expect(replayed.headers['preference-applied']).toBe('resolution=merge-duplicates');
    expect((await read(id)).title).toBe('second');
  });

  it('leaves ids alone without the preference, or with another one', async () => {
    const { id, path } = await service.create({ title: 'kept' });
    const line = { id, title: 'copy', body: '', etag: 'anything', modified: 7 };
    for (const Prefer of ['resolution=ignore-duplicates', 'count=exact']) {
      const response = await service.import(JSON.stringify(line), { Prefer });
      expect([response.status, response.headers['preference-applied']]).toEqual([201, undefined]);
      expect(Object.keys(response.json())).toEqual(['created', 'first_id', 'last_id']);
    }
    expect((await service.get(path)).json<PostJson>().title).toBe('kept');
  });
});

describe('a post that another client changes while its line waits to be stored', () => {
  /** Runs the change when the import has compared its lines and locks its posts. */
  function meanwhile(change: () => Promise<unknown>): void {
    const writes = service.app.get(PostWritesRepository);
    const find = writes.findSmall.bind(writes);
    const spy = jest.spyOn(writes, 'findSmall').mockImplementation(async (ids) => {
      const found = await find(ids);
      spy.mockRestore();
      await change();
      return found;
    });
  }

  it('gets a 412 where the line has its tag, and nothing is stored', async () => {
    const { id, path, etag } = await service.create({ title: 'mine' });
    meanwhile(() => service.put(path, { title: 'theirs', body: '' }));
    const response = await merge([
      { title: 'beside', body: '' },
      { id, title: 'new', body: '', etag },
    ]);
    expect(response.problem).toMatchObject({ status: 412, errors: [{ line: 2, code: 'outdated' }] });
    expect((await read(id)).title).toBe('theirs');
  });

  it('is replaced where the line has no tag, and keeps the date that it has then', async () => {
    const post = await service.create();
    const { id, path } = post;
    const pub_date = '2027-01-01T00:00:00.000Z';
    meanwhile(() => service.put(path, { title: 'theirs', body: '', pub_date }));
    expect((await merge([{ id, title: 'new', body: '' }])).json()).toMatchObject({ replaced: 1 });
    expect(await read(id)).toEqual({ ...post, title: 'new', body: '', pub_date });
    expect((await service.get(path)).etag).toBe(`"${id}-3"`);
  });

  it('is not replaced, and nothing is stored, if its version is not the one that was locked', async () => {
    const posts = await service.createAll([{}, {}]);
    const writes = service.app.get(PostWritesRepository);
    const find = writes.findForUpdate.bind(writes);
    jest.spyOn(writes, 'findForUpdate').mockImplementationOnce(async (...wanted) => {
      const found = await find(...wanted);
      return found.map((post) => Object.assign(post, { version: post.version + 1 }));
    });
    const response = await merge(posts.map(({ id }) => ({ id, title: 'new', body: '' })));
    expect(response.status).toBe(500);
    for (const { path, etag } of posts) expect((await service.get(path)).etag).toBe(etag);
  });

  it('is unknown when it was deleted', async () => {
    const { id, path } = await service.create();
    meanwhile(() => service.delete(path));
    const { problem } = await merge([{ id, title: 'new', body: '' }]);
    expect(problem).toMatchObject({ status: 400, errors: [{ line: 1, code: 'unknown_id', pointer: '/id' }] });
  });
});
