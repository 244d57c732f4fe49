import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { RevisionsRepository } from '../../src/history/revisions.repository.js';

const service = await startService();

const replacement = { title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' };
const failed = () => ({
  type: `${service.baseUrl}/problems/precondition-failed/`,
  code: 'precondition-failed',
  title: 'Precondition failed',
  status: 412,
  detail: 'The post is not, or no longer, what the preconditions ask for.',
});
const malformed = (header: string) => ({
  type: `${service.baseUrl}/problems/invalid-request/`,
  code: 'invalid-request',
  title: 'Invalid request',
  status: 400,
  detail: 'The request has one fault; nothing was changed.',
  errors: [
    { detail: 'The field must be * or a list of entity tags in double quotes.', code: 'malformed', header },
  ],
});

describe('the ETag of a post', () => {
  it('is strong, and changes with every change of any field', async () => {
    const post = await service.create();
    const tags = [post.etag];
    for (const change of [
      { title: 'b' },
      { body: 'b' },
      { pub_date: '2026-11-20T14:40:00.000001Z' },
      { title: 'c' },
    ]) {
      const { etag } = await service.put(post.path, aPost(change));
      expect(etag).toMatch(/^"[^"]+"$/);
      expect((await service.get(post.path)).etag).toBe(etag);
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(5);
  });

  it('never repeats, not even when the content does', async () => {
    const post = await service.create();
    const there = await service.put(post.path, replacement);
    const back = await service.put(post.path, aPost());
    expect(new Set([post.etag, there.etag, back.etag]).size).toBe(3);
    const twin = await service.create();
    expect(twin.etag).not.toBe(post.etag);
  });

  it.each([
    ['the same values', (post: PostJson) => post],
    ['no date', ({ title, body }: PostJson) => ({ title, body })],
    [
      'the same date in another spelling',
      (post: PostJson) => ({ ...post, pub_date: '2026-11-20 15:40+01:00' }),
    ],
  ])('is kept by a PUT that changes nothing: %s', async (_, change) => {
    const post = await service.create();
    const response = await service.put(post.path, change(post));
    expect([response.status, response.etag, response.json()]).toEqual([200, post.etag, post]);
    expect((await service.get(post.path)).etag).toBe(post.etag);
  });
});

describe('If-None-Match on a read', () => {
  it.each<[string, (etag: string) => string]>([
    ['the tag', (etag) => etag],
    ['the tag, weak', (etag) => `W/${etag}`],
    ['a list with the tag', (etag) => `"a", ${etag} ,W/"b,c"`],
    ['a list of tags with commas and spaces', (etag) => `"with, comma", ${etag}`],
    ['*', () => '*'],
  ])('answers 304 to %s', async (_, field) => {
    const post = await service.create();
    for (const method of ['GET', 'HEAD']) {
      const response = await service.request(method, post.path, {
        headers: { 'If-None-Match': field(post.etag) },
      });
      expect(response.shown).toEqual({
        status: 304,
        headers: { etag: post.etag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' },
      });
    }
  });

  it.each<[string, (etag: string) => string]>([
    ['another tag', () => '"a"'],
    ['no tag', () => ''],
    ['the tag without quotes', (etag) => etag.slice(1, -1)],
    ['the tag in another case', (etag) => `w/${etag}`],
    ['a list that is malformed', (etag) => `${etag} "a"`],
  ])('answers 200 to %s', async (_, field) => {
    const post = await service.create();
    const response = await service.get(post.path, { 'If-None-Match': field(post.etag) });
    expect([response.status, response.json()]).toEqual([200, post]);
  });

  it('answers 200 once the post has changed', async () => {
    const post = await service.create();
    await service.put(post.path, replacement);
    expect((await service.get(post.path, { 'If-None-Match': post.etag })).status).toBe(200);
  });
});

describe('If-Match on a read', () => {
  const notAsAskedFor = () => ({
    ...failed(),
    detail: 'What is here is not, or no longer, what If-Match asks for.',
  });

  it.each<[string, (etag: string) => string]>([
    ['the tag', (etag) => etag],
    ['the tag of another coding', (etag) => etag.replace(/"$/, '-gzip"')],
    ['a list with the tag', (etag) => `"a", ${etag}`],
    ['*', () => '*'],
  ])('answers 200 to %s', async (_, field) => {
    const post = await service.create();
    for (const path of [post.path, `/posts/?id=${post.id}`, '/openapi.json']) {
      const { etag } = await service.get(path);
      const response = await service.get(path, { 'If-Match': field(etag) });
      expect([path, response.status, response.etag]).toEqual([path, 200, etag]);
    }
  });

  it('answers 412 to the tag of what was there before, even where If-None-Match would answer 304', async () => {
    const post = await service.create();
    const list = `/posts/?id=${post.id}`;
    const before = await service.get(list);
    const csv = { Accept: 'text/csv' };
    const { etag: streamed } = await service.get('/posts/', csv);
    const { etag } = await service.put(post.path, aPost({ title: 'New' }));
    // Twice, so that the second response can come from the cache.
    for (let time = 0; time < 2; time += 1) {
      const headers = { 'If-Match': post.etag, 'If-None-Match': etag };
      expect((await service.get(post.path, headers)).problem).toEqual(notAsAskedFor());
      expect((await service.request('HEAD', post.path, { headers })).status).toBe(412);
      expect((await service.get(list, { 'If-Match': before.etag })).problem).toEqual(notAsAskedFor());
      expect((await service.get('/posts/', { ...csv, 'If-Match': streamed })).problem).toEqual(
        notAsAskedFor(),
      );
      expect((await service.get(post.path)).status).toBe(200);
    }
  });

  it('compares strongly', async () => {
    const post = await service.create();
    expect((await service.get(post.path, { 'If-Match': `W/${post.etag}` })).status).toBe(412);
  });

  it('answers 400 when it is malformed, and 404 where there is nothing to match', async () => {
    const post = await service.create();
    expect((await service.get(post.path, { 'If-Match': 'x' })).problem).toEqual(malformed('If-Match'));
    expect((await service.get('/posts/999999/', { 'If-Match': '*' })).status).toBe(404);
  });
});

describe('If-None-Match on a list', () => {
  it('answers 304 as long as nothing in it changes', async () => {
    const [one, two] = await service.createAll([{}, {}]);
    const path = `/posts/?id=${one!.id},${two!.id}`;
    const list = await service.get(path);
    const { shown } = await service.get(path, { 'If-None-Match': list.etag });
    expect(shown).toEqual({
      status: 304,
      headers: {
        etag: list.etag,
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        link: list.headers['link'],
      },
    });
  });

  it.each<[string, (posts: readonly PostJson[]) => Promise<unknown>]>([
    ['one of its posts is replaced', ([, two]) => service.put(`/posts/${two!.id}/`, replacement)],
    ['one of its posts is deleted', ([, two]) => service.delete(`/posts/${two!.id}/`)],
    ['the last of its posts is deleted', ([, , three]) => service.delete(`/posts/${three!.id}/`)],
  ])('answers 200 when %s, whichever fields it shows', async (_, change) => {
    const posts = await service.createAll([{}, {}, {}]);
    for (const fields of ['', '&fields=id', '&fields=pub_date']) {
      const path = `/posts/?id=${posts.map(({ id }) => id).join()}&limit=5${fields}`;
      const { etag } = await service.get(path);
      expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(304);
      if (fields === '') await change(posts);
      else await service.put(`/posts/${posts[0]!.id}/`, aPost({ body: fields }));
      expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(200);
    }
  });

  it('answers 200 when a post comes in', async () => {
    const { etag } = await service.get('/posts/?limit=5');
    await service.create({ pub_date: '9999-01-01T00:00:00.000Z' });
    expect((await service.get('/posts/?limit=5', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('answers 200 when a page ceases to be the last', async () => {
    const title = `page ${Date.now()}`;
    await service.create({ title, pub_date: '2020-01-02T00:00:00.000Z' });
    const path = `/posts/?title=${encodeURIComponent(title)}&limit=1`;
    const { etag } = await service.get(path);
    await service.create({ title, pub_date: '2020-01-01T00:00:00.000Z' });
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('has another tag for another selection, though it holds the same posts', async () => {
    const { id } = await service.create();
    const tags = await Promise.all(
      [`?id=${id}`, `?id=${id}&fields=id`, `?id=${id}&fields=id,title`].map(
        async (query) => (await service.get(`/posts/${query}`)).etag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
  });
});

describe.each([
  ['PUT', '/posts/{id}/'],
  ['PUT', '/posts/?id={id}'],
  ['DELETE', '/posts/{id}/'],
  ['DELETE', '/posts/?id={id}'],
])('%s %s', (method, template) => {
  const send = (id: number, headers: Record<string, string | readonly string[]>) =>
    service.request(method, template.replace('{id}', String(id)), {
      headers,
      ...(method === 'PUT' ? { json: replacement } : {}),
    });
  const success = method === 'PUT' ? 200 : 204;

  it.each<[string, (etag: string) => Record<string, string | readonly string[]>]>([
    ['If-Match is the tag', (etag) => ({ 'If-Match': etag })],
    ['If-Match is *', () => ({ 'If-Match': '*' })],
    ['If-Match lists the tag', (etag) => ({ 'If-Match': `"a",${etag}, "b"` })],
    ['If-Match has empty elements', (etag) => ({ 'If-Match': `, ,${etag},` })],
    ['If-Match stands twice', (etag) => ({ 'If-Match': ['"a"', etag] })],
    ['If-None-Match is another tag', () => ({ 'If-None-Match': '"a"' })],
    ['both hold', (etag) => ({ 'If-Match': etag, 'If-None-Match': '"a"' })],
    [
      'If-Match is the tag, whatever the date',
      (etag) => ({ 'If-Match': etag, 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
    ],
    ['If-Unmodified-Since is no date', () => ({ 'If-Unmodified-Since': '1970-01-01T00:00:00Z' })],
    ['If-Modified-Since says otherwise', () => ({ 'If-Modified-Since': new Date().toUTCString() })],
  ])('writes when %s', async (_, headers) => {
    const post = await service.create();
    expect((await send(post.id, headers(post.etag))).status).toBe(success);
  });

  it.each<[string, (etag: string) => Record<string, string>]>([
    ['If-Match is another tag', () => ({ 'If-Match': '"a"' })],
    ['If-Match is the tag, weak', (etag) => ({ 'If-Match': `W/${etag}` })],
    ['If-Match is a tag that only begins alike', (etag) => ({ 'If-Match': `${etag.slice(0, -1)}0"` })],
    ['If-Match is an empty tag', () => ({ 'If-Match': '""' })],
    ['If-Match lists no tag', () => ({ 'If-Match': '' })],
    [
      'If-Match is the tag in another coding that there is not',
      (etag) => ({ 'If-Match': `${etag.slice(0, -1)}-zip"` }),
    ],
    ['If-None-Match is *', () => ({ 'If-None-Match': '*' })],
    ['If-None-Match is the tag', (etag) => ({ 'If-None-Match': etag })],
    ['If-None-Match is the tag, weak', (etag) => ({ 'If-None-Match': `W/${etag}` })],
    [
      'If-Match is another tag, whatever the date',
      () => ({ 'If-Match': '"a"', 'If-Unmodified-Since': new Date(Date.now() + 86_400_000).toUTCString() }),
    ],
    ['If-Unmodified-Since is earlier', () => ({ 'If-Unmodified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' })],
    ['If-Match holds and If-None-Match does not', (etag) => ({ 'If-Match': etag, 'If-None-Match': '*' })],
  ])('answers 412 and writes nothing when %s', async (_, headers) => {
    const post = await service.create();
    expect((await send(post.id, headers(post.etag))).problem).toEqual(failed());
    const after = await service.get(post.path);
    expect([after.etag, after.json()]).toEqual([post.etag, post]);
  });

  it('answers 412 when another client was faster', async () => {
    const post = await service.create();
    const { etag } = await service.put(post.path, aPost({ title: 'Theirs' }));
    expect((await send(post.id, { 'If-Match': post.etag })).problem).toEqual(failed());
    expect((await service.get(post.path)).json()).toEqual({ ...post, title: 'Theirs' });
    expect((await send(post.id, { 'If-Match': etag })).status).toBe(success);
  });

  it('does not accept the tag of another post', async () => {
    const [one, other] = [await service.create(), await service.create()];
    expect((await send(one.id, { 'If-Match': other.etag })).status).toBe(412);
  });

  it.each([
    'a',
    'W/a',
    '"a',
    'a"',
    '"a" "b"',
    '"a", b',
    '*, "a"',
    '"a", *',
    'w/"a"',
    'W/ "a"',
    '**',
    '"a b"',
  ])('answers 400 and writes nothing when If-Match is malformed: %s', async (field) => {
    const post = await service.create();
    expect((await send(post.id, { 'If-Match': field })).problem).toEqual(malformed('If-Match'));
    expect((await send(post.id, { 'If-None-Match': field })).problem).toEqual(malformed('If-None-Match'));
    expect((await service.get(post.path)).json()).toEqual(post);
  });

  it('answers 404 for a post that does not exist, before any precondition is looked at', async () => {
    const post = await service.create();
    await service.delete(post.path);
    for (const [name, value] of [
      ['If-Match', '"a"'],
      ['If-Match', '*'],
      ['If-Match', post.etag],
      ['If-None-Match', '*'],
    ] as const) {
      expect((await send(post.id, { [name]: value })).problem).toMatchObject({
        status: 404,
        type: 'about:blank',
      });
    }
    expect((await send(post.id, { 'If-Match': 'malformed' })).status).toBe(404);
  });

  it('of those that carry the same tag at the same time, lets exactly one write', async () => {
    const posts = await Promise.all(Array.from({ length: 25 }, () => service.create()));
    const outcomes = await Promise.all(
      posts.map(async ({ id, etag }) => {
        const responses = await Promise.all([1, 2, 3].map(() => send(id, { 'If-Match': etag })));
        return responses.map(({ status }) => status).toSorted((a, b) => a - b);
      }),
    );
    // A later request finds the post changed or deleted.
    const late = method === 'PUT' ? 412 : 404;
    const expected = [success, late, late].toSorted((a, b) => a - b);
    expect(outcomes).toEqual(posts.map(() => expected));
  });
});

describe('simultaneous writes of different posts', () => {
  it('have their own outcomes, and leave the state, the search index and the history that they report', async () => {
    const word = `w${Date.now()}`;
    const large = 'x'.repeat(20_000);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const body = index % 2 === 0 ? 'small' : large;
        const post = await service.create({ body });
        const changed = aPost({ title: `${word} ${index}`, body });
        return { post, changed };
      }),
    );
    const responses = await Promise.all(
      outcomes.flatMap(({ post, changed }) => [
        service.put(post.path, changed, { 'If-Match': post.etag }),
        service.put(post.path, aPost(), { 'If-Match': '"stale"' }),
        service.put('/posts/999999/', aPost()),
      ]),
    );
    expect(responses.map(({ status }) => status)).toEqual(outcomes.flatMap(() => [200, 412, 404]));
    const found = await service.get(`/posts/?search=${word}&ordering=id`);
    expect(found.json<PostJson[]>().map(({ title }) => title)).toEqual(
      outcomes.toSorted((a, b) => a.post.id - b.post.id).map(({ changed }) => changed.title),
    );
    const gone = await Promise.all(
      outcomes.map(({ post }, index) =>
        index % 3 === 0 ? service.delete(post.path) : service.get(post.path),
      ),
    );
    expect(gone.map(({ status }) => status)).toEqual(
      outcomes.map((_, index) => (index % 3 === 0 ? 204 : 200)),
    );
    const kept = await service.get(`/posts/?search=${word}`);
    expect(kept.json<PostJson[]>()).toHaveLength(8);
    const rows = await Promise.all(
      outcomes.map(({ post }) =>
        service.app
          .get(RevisionsRepository)
          .findPage({ postId: post.id, backwards: false, after: undefined, rows: 10 }),
      ),
    );
    expect(rows.map((revisions) => revisions.map(({ action }) => action))).toEqual(
      outcomes.map((_, index) =>
        index % 3 === 0 ? ['deleted', 'changed', 'created'] : ['changed', 'created'],
      ),
    );
  });
});

describe('simultaneous writes with one ETag', () => {
  it('let exactly one PUT of a pair win, and store what it returned', async () => {
    const posts = await Promise.all(Array.from({ length: 50 }, () => service.create()));
    await Promise.all(
      posts.map(async ({ path, etag }) => {
        const responses = await Promise.all(
          ['one', 'two'].map((title) => service.put(path, aPost({ title }), { 'If-Match': etag })),
        );
        expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
        const winner = responses.find(({ status }) => status === 200)!;
        const stored = await service.get(path);
        expect([stored.etag, stored.json()]).toEqual([winner.etag, winner.json()]);
      }),
    );
  });

  it('let exactly one of a PUT and a DELETE win', async () => {
    const posts = await Promise.all(Array.from({ length: 50 }, () => service.create()));
    await Promise.all(
      posts.map(async ({ path, etag }, index) => {
        const put = () => service.put(path, replacement, { 'If-Match': etag });
        const remove = () => service.delete(path, { 'If-Match': etag });
        const order = index % 2 === 0 ? [put, remove] : [remove, put];
        const statuses = (await Promise.all(order.map((send) => send()))).map(({ status }) => status);
        const after = (await service.get(path)).status;
        expect([`200,412 → 200`, `204,404 → 404`, `412,200 → 200`, `404,204 → 404`]).toContain(
          `${statuses.join()} → ${after}`,
        );
      }),
    );
  });

  it('lose no update when all clients read, change and retry', async () => {
    const post = await service.create({ body: '0' });
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let tries = 0; tries < 100; tries += 1) {
          const read = await service.get(post.path);
          const body = String(Number(read.json<PostJson>().body) + 1);
          const response = await service.put(post.path, aPost({ body }), { 'If-Match': read.etag });
          if (response.status === 200) return;
        }
        throw new Error('It never came through.');
      }),
    );
    expect((await service.get(post.path)).json()).toMatchObject({ body: '10' });
  });
});

describe('POST /posts/', () => {
  it('gets the ETag with which the post can be changed', async () => {
    const post = await service.create();
    expect((await service.put(post.path, replacement, { 'If-Match': post.etag })).status).toBe(200);
  });
});
