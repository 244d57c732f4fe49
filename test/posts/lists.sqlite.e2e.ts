import { parseLinks } from '../support/links.js';
import { listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

async function titlesOf(path: string): Promise<string[]> {
  return (await service.get(path)).json<PostJson[]>().map(({ title }) => title);
}

// same-responses.postgres.e2e.ts shows that PostgreSQL responds alike.
describe('GET /posts/', () => {
  it('returns a bare array of whole posts', async () => {
    const posts = await service.createAll([{ title: 'a' }, { title: 'b', body: 'é' }]);
    const path = listOf(posts, '&ordering=id');
    expect((await service.get(path)).shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        etag: expect.stringMatching(/^"[^"]+"$/),
        link: `<${service.baseUrl}${path}>; rel="first", <${service.baseUrl}${path}>; rel="alternate"; type="application/atom+xml"`,
      },
      body: posts,
    });
  });

  it('returns an empty array when there are no posts, and the newest 100 of more', async () => {
    const full = await startService();
    const empty = await full.get('/posts/', { Prefer: 'count=exact' });
    expect([empty.text, empty.headers['x-total-count']]).toEqual(['[]', '0']);
    expect(Object.keys(parseLinks(empty.headers['link']))).toEqual(['first', 'alternate']);
    const posts = await Promise.all(
      Array.from({ length: 101 }, (_, day) =>
        full.create({ pub_date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString() }),
      ),
    );
    const response = await full.get('/posts/');
    expect(response.json()).toEqual(posts.toReversed().slice(0, 100));
    expect(Object.keys(parseLinks(response.headers['link']))).toEqual(['next', 'first', 'alternate']);
  });
});

describe('ordering', () => {
  /** The posts in the order of their ids, with equal dates and titles. */
  const fields = [
    { title: 'b', pub_date: '2026-01-02T00:00:00.000Z' },
    { title: 'a', pub_date: '2026-01-01T00:00:00.000Z' },
    { title: 'a', pub_date: '2026-01-02T00:00:00.000Z' },
    { title: 'c', pub_date: '2026-01-01T00:00:00.000001Z' },
    { title: 'b', pub_date: '2026-01-02T00:00:00.000Z' },
  ];

  it.each([
    ['pub_date', [1, 3, 0, 2, 4]],
    ['id', [0, 1, 2, 3, 4]],
    ['title', [1, 2, 0, 4, 3]],
    ['modified', [0, 1, 2, 3, 4]],
  ])('by %s, in either direction, breaks ties by id in the same direction', async (key, places) => {
    const posts = await service.createAll(fields);
    const expected = places.map((place) => posts[place]);
    expect((await service.get(listOf(posts, `&ordering=${key}`))).json()).toEqual(expected);
    const reverse = expected.toReversed();
    expect((await service.get(listOf(posts, `&ordering=-${key}`))).json()).toEqual(reverse);
    if (key === 'pub_date') expect((await service.get(listOf(posts))).json()).toEqual(reverse);
  });

  it('of titles is by code point', async () => {
    const words = '!,0,10,9,A,Z,Zz,_,a,a ,a!,aa,b,z,~,e\u0301,\u00c4,\u00e9,\u0130,\u03a9,\u4e2d'.split(',');
    const wide = '\ufb01 \uff21 \uffee \ufffd 😀 😀a \u{20000} \u{10FFFF}'.split(' ');
    const titles = [' x', ...words, ...wide];
    const byCodePoint = titles.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const posts = await service.createAll(titles.toReversed().map((title) => ({ title })));
    expect(await titlesOf(listOf(posts, '&ordering=title'))).toEqual(byCodePoint);
  });

  it('of dates is by time, from the year 1 to 9999', async () => {
    const dates = ['0001-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00.000Z'];
    dates.push('2026-11-20T14:40:00.000001Z', '2026-11-20T14:40:00.001Z', '9999-12-31T23:59:59.999999Z');
    const posts = await service.createAll(dates.toReversed().map((pub_date) => ({ pub_date })));
    const listed = (await service.get(listOf(posts, '&ordering=pub_date'))).json<PostJson[]>();
    expect(listed.map(({ pub_date }) => pub_date)).toEqual(dates);
  });
});

describe('limit and offset', () => {
  it.each([
    ['limit=2', 'ab'],
    ['limit=2&offset=1', 'bc'],
    ['limit=1000&offset=10000', ''],
  ])('select a part of the list: %s', async (query, titles) => {
    const posts = await service.createAll(['a', 'b', 'c', 'd'].map((title) => ({ title })));
    expect((await titlesOf(listOf(posts, `&ordering=title&${query}`))).join('')).toBe(titles);
  });
});

describe('a list that is streamed', () => {
  it('is whole and in order, over many reads of the database', async () => {
    const imported = await service.import('{"title":"streamed","body":""}\n'.repeat(1_200));
    const { first_id: first } = imported.json<{ first_id: number }>();
    for (const offset of [0, 700]) {
      const target = `/posts/?title=streamed&ordering=id&fields=id&offset=${offset}`;
      const { text } = await service.get(target, { Accept: 'application/x-ndjson' });
      const ids = Array.from({ length: 1_200 - offset }, (_, index) => first + offset + index);
      expect(text).toBe(ids.map((id) => `{"id":${id}}\n`).join(''));
    }
  });
});

describe('pub_date_after and pub_date_before', () => {
  it.each([
    ['pub_date_after=2026-01-02T01:00:00%2B01:00', ['b', 'c', 'd']],
    ['pub_date_after=2026-01-02T00:00:00.000001Z', ['c', 'd']],
    ['pub_date_before=2026-01-02', ['a']],
    ['pub_date_before=2026-01-02t00:00:00.0000019z', ['a', 'b']],
    ['pub_date_after=2026-01-02&pub_date_before=2026-01-03', ['b', 'c']],
    ['pub_date_after=2026-01-03&pub_date_before=2026-01-02', []],
  ])('include the lower bound and exclude the upper bound: %s', async (query, titles) => {
    const posts = await service.createAll([
      { title: 'a', pub_date: '2026-01-01T23:59:59.999999Z' },
      { title: 'b', pub_date: '2026-01-02T00:00:00.000Z' },
      { title: 'c', pub_date: '2026-01-02T00:00:00.000001Z' },
      { title: 'd', pub_date: '2026-01-03T00:00:00.000Z' },
    ]);
    expect(await titlesOf(listOf(posts, `&ordering=title&${query}`))).toEqual(titles);
  });
});

describe('title', () => {
  it('matches exactly', async () => {
    const titles = `Tea,tea,Tea , Tea,Te\u0301a,T\u00e9a,T%,_ea,T'a,Tea&cup,😀`.split(',');
    const posts = await service.createAll(titles.map((title) => ({ title })));
    for (const title of titles) {
      expect(await titlesOf(listOf(posts, `&title=${encodeURIComponent(title)}`))).toEqual([title]);
    }
    expect(await titlesOf(listOf(posts, '&title=Coffee'))).toEqual([]);
    expect(await titlesOf(listOf(posts, '&title=Tea+'))).toEqual(['Tea ']);
  });
});

describe('id', () => {
  it('selects one post or several, in the list’s order', async () => {
    const posts = await service.createAll([{ title: 'a' }, { title: 'b' }, { title: 'c' }]);
    const [a, , c] = posts;
    expect(await titlesOf(`/posts/?id=${a!.id}`)).toEqual(['a']);
    expect(await titlesOf(`/posts/?ordering=title&id=${c!.id},${a!.id}`)).toEqual(['a', 'c']);
    expect(await titlesOf(`/posts/?id=${c!.id}&ordering=title&id=${a!.id}`)).toEqual(['a', 'c']);
    expect(await titlesOf(`/posts/?id=${a!.id}%2C9007199254740991`)).toEqual(['a']);
    expect(await titlesOf('/posts/?id=9007199254740991')).toEqual([]);
  });

  it('may be one of 1000 ids of 16 digits', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => 9_007_199_254_740_991 - index);
    for (const comma of [',', '&id=']) expect(await titlesOf(`/posts/?id=${ids.join(comma)}`)).toEqual([]);
  });
});

describe('fields', () => {
  it.each([
    ['pub_date', ['pub_date']],
    ['body', ['body']],
    ['pub_date,title,id', ['id', 'title', 'pub_date']],
    ['title&fields=id%2Cbody', ['id', 'title', 'body']],
    ['body,pub_date,title,id', ['id', 'title', 'pub_date', 'body']],
  ])('shows only the selected fields, in the order of a post: %s', async (fields, shown) => {
    const post = await service.create();
    const expected = Object.fromEntries(shown.map((field) => [field, Reflect.get(post, field)]));
    const { text } = await service.get(listOf([post], `&fields=${fields}`));
    expect(text).toBe(JSON.stringify([expected]));
  });
});

describe('all parameters together', () => {
  it('apply to the same list', async () => {
    const days = [1, 2, 3, 4, 5].map((day) => `2026-01-0${day}T00:00:00.000Z`);
    const posts = await service.createAll(
      days.map((pub_date, day) => ({ title: day ? 'x' : 'a', pub_date })),
    );
    const query =
      '&title=x&pub_date_after=2026-01-02&pub_date_before=2026-01-05&ordering=-pub_date&limit=1&offset=1&fields=id';
    const response = await service.get(listOf(posts, query), { Prefer: 'respond-async, count=exact' });
    expect(response.json()).toEqual([{ id: posts[2]!.id }]);
    expect(response.headers).toMatchObject({ 'x-total-count': '3', 'preference-applied': 'count=exact' });
    expect(Object.keys(parseLinks(response.headers['link']))).toEqual(['next', 'prev', 'first', 'alternate']);
  });
});

// src/http/request has all faults of any parameter: input-reader.spec.ts and input-rules.spec.ts.
describe('an invalid query parameter', () => {
  it.each([
    ['limit=0', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=1001', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=007', 'limit', { code: 'not_an_integer' }, /1 to 1000/],
    ['limit=', 'limit', { code: 'blank' }, /needs a value/],
    ['limit=1&limit=1', 'limit', { code: 'repeated' }, /only once/],
    ['offset=10001', 'offset', { code: 'out_of_range', limit: 10_000 }, /cursor/],
    ['ordering=body', 'ordering', { code: 'not_one_of' }, /pub_date, -pub_date/],
    ['ordering=title_key', 'ordering', { code: 'not_one_of' }, /pub_date, -pub_date/],
    ['fields=id,version', 'fields', { code: 'not_one_of' }, /id, title, pub_date, body/],
    ['fields=title,id,title', 'fields', { code: 'repeated' }, /each once/],
    ['id=0', 'id', { code: 'out_of_range', limit: 2 ** 53 - 1 }, /1000 ids.*1 to 9007199254740991/],
    ['id=1,x', 'id', { code: 'not_an_integer' }, /1000 ids/],
    ['pub_date_after=x', 'pub_date_after', { code: 'not_a_date' }, /ISO 8601/],
    ['pub_date_before=2026-02-30', 'pub_date_before', { code: 'not_a_date' }, /ISO 8601/],
    ['modified_after=', 'modified_after', { code: 'blank' }, /needs a value/],
    ['title=%20', 'title', { code: 'blank' }, /white space/],
    [`title=${'a'.repeat(201)}`, 'title', { code: 'too_long', limit: 200 }, /200 characters/],
    ['search=a%00', 'search', { code: 'null_character' }, /U\+0000/],
    ['cursor=AAAA', 'cursor', { code: 'bad_cursor' }, /a Link of a list/],
    ['x=1', 'x', { code: 'unknown_parameter' }, /limit, cursor, offset, ordering/],
  ])('is refused with a code and the allowed values: %s', async (query, parameter, fault, detail) => {
    const { status, errors } = (await service.get(`/posts/?${query}`)).problem;
    expect(status).toBe(400);
    expect(errors).toEqual([{ detail: expect.stringMatching(detail), ...fault, parameter }]);
  });

  it('is refused together with all other faults', async () => {
    const response = await service.get('/posts/?limit=0&ordering=x&id=0&fields=x&offset=-1&z=1');
    const names = ['fields', 'id', 'limit', 'offset', 'ordering', 'z'];
    expect(response.faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`));
  });

  it('is refused when it lists more than 1000 ids', async () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => index + 1);
    const { errors } = (await service.get(`/posts/?id=${ids.join()}`)).problem;
    expect(errors).toMatchObject([{ code: 'too_many', limit: 1000, parameter: 'id' }]);
  });

  it.each([
    ['POST', '/posts/?limit=1'],
    ['PUT', '/posts/?id=1&x=1'],
    ['GET', '/posts/1/?fields=id'],
    ['HEAD', '/posts/1/?x=1'],
    ['PUT', '/posts/1/?x=1'],
    ['DELETE', '/posts/1/?x=1'],
    ['GET', '/?x=1'],
    ['GET', '/problems/?x=1'],
  ])('is refused for every method and path: %s %s', async (method, target) => {
    const body = ['POST', 'PUT'].includes(method) ? { json: { title: 'a', body: 'b' } } : {};
    expect((await service.request(method, target, body)).status).toBe(400);
  });
});
