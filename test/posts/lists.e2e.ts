import { encodePageCursor, type PageCursor } from '../../src/paging/page-cursor.js';
import { aPost, linkToFeed, listOf, type PostJson } from '../support/posts.js';
import type { HttpResponse } from '../support/http-client.js';
import { startService } from '../support/service.js';

const service = await startService();

async function titlesOf(path: string): Promise<string[]> {
  return (await service.get(path)).json<PostJson[]>().map(({ title }) => title);
}

/** The links between the pages of a list; feed.e2e.ts has that to its feed. */
function pageLinksOf({ links }: HttpResponse): Readonly<Record<string, string>> {
  const { alternate: _feed, ...pages } = links;
  return pages;
}

describe('GET /posts/', () => {
  it('returns a bare array of whole posts', async () => {
    const posts = await service.createAll([{ title: 'a' }, { title: 'b', body: 'é' }]);
    const path = listOf(posts, '&ordering=id');
    const url = service.baseUrl + path;
    expect((await service.get(path)).shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        etag: expect.stringMatching(/^"[^"]+"$/),
        link: `<${url}>; rel="first"${linkToFeed(url)}`,
      },
      body: posts,
    });
  });

  it('returns an empty array when there are no posts, and the newest 100 of more', async () => {
    const full = await startService();
    const empty = await full.get('/posts/', { Prefer: 'count=exact' });
    expect([empty.text, empty.headers['x-total-count']]).toEqual(['[]', '0']);
    expect(Object.keys(pageLinksOf(empty))).toEqual(['first']);
    const dates = Array.from({ length: 101 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString());
    await full.import(dates.map((pub_date) => JSON.stringify(aPost({ pub_date }))).join('\n'));
    const response = await full.get('/posts/');
    expect(response.json<PostJson[]>().map((post) => post.pub_date)).toEqual(
      dates.toReversed().slice(0, 100),
    );
    expect(Object.keys(pageLinksOf(response))).toEqual(['next', 'first']);
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
});

describe('pub_date_after and pub_date_before', () => {
  it.each([
    ['pub_date_after=2026-01-02T00:00:00.000001Z', ['c', 'd']],
    ['pub_date_before=2026-01-02t00:00:00.0000019z', ['a', 'b']],
    ['pub_date_after=2026-01-02&pub_date_before=2026-01-03', ['b', 'c']],
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
    expect(await titlesOf(listOf(posts, '&&t%69tle=T%c3%a9a&'))).toEqual(['T\u00e9a']);
    expect(await titlesOf(listOf(posts, '&title=%EF%BB%BFTea'))).toEqual([]);
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

  it('may be one of 100 ids of 16 digits', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => 9_007_199_254_740_991 - index);
    for (const comma of [',', '&id=']) expect(await titlesOf(`/posts/?id=${ids.join(comma)}`)).toEqual([]);
  });
});

describe('fields', () => {
  it.each([
    ['pub_date', ['pub_date']],
    ['pub_date,title,id', ['id', 'title', 'pub_date']],
    ['title&fields=id%2Cbody', ['id', 'title', 'body']],
  ])('shows only the selected fields, in the order of a post: %s', async (fields, shown) => {
    const post = await service.create();
    const expected = Object.fromEntries(shown.map((field) => [field, Reflect.get(post, field)]));
    const { text } = await service.get(listOf([post], `&fields=${fields}`));
    expect(text).toBe(JSON.stringify([expected]));
  });

  it('shows the time of change and the entity tag where it names them, in JSON, NDJSON and CSV', async () => {
    const post = await service.create({ title: 'a, "b"' });
    const { etag } = await service.put(post.path, { title: 'a, "c"', body: '' });
    const list = listOf([post], '&fields=etag,modified,title');
    const [listed] = (await service.get(list)).json<[{ modified: string; etag: string }]>();
    const { modified } = listed;
    expect(Math.abs(Date.parse(modified) - Date.now())).toBeLessThan(60_000);
    expect(modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const json = JSON.stringify({ title: 'a, "c"', modified, etag });
    expect((await service.get(list)).text).toBe(`[${json}]`);
    expect((await service.get(list, { Accept: 'application/x-ndjson' })).text).toBe(`${json}\n`);
    const record = `"a, ""c""",${modified},"""${post.id}-2"""`;
    expect((await service.get(list, { Accept: 'text/csv' })).text).toBe(
      `title,modified,etag\r\n${record}\r\n`,
    );
    expect((await service.get(listOf([post], `&modified_after=${modified}&fields=id`))).json()).toHaveLength(
      1,
    );
    const change = { headers: { 'If-Match': listed.etag }, json: { title: 'd', body: '' } };
    expect((await service.request('PUT', post.path, change)).status).toBe(200);
    expect((await service.request('PUT', post.path, change)).status).toBe(412);
    expect(Object.keys((await service.get(listOf([post]))).json<object[]>()[0]!)).not.toContain('etag');
  });

  it.each(['POST', 'PUT'])('are not what a %s takes', async (method) => {
    const post = await service.create();
    const sent = { title: 'x', body: '', modified: '2026-11-20T14:40:00.000Z', etag: post.etag };
    const target = method === 'POST' ? '/posts/' : post.path;
    const response = await service.request(method, target, { json: sent });
    expect([response.status, response.faultyPlaces]).toEqual([400, ['pointer /modified', 'pointer /etag']]);
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
    expect(Object.keys(pageLinksOf(response))).toEqual(['next', 'prev', 'first']);
  });
});

describe('an invalid query parameter', () => {
  const UNKNOWN = /^The parameter is not known; known are id, title, .*, limit, cursor, offset, ordering/;

  it.each([
    ['limit=0', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=1001', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=1.5', 'limit', { code: 'not_an_integer' }, /1 to 1000/],
    ['limit=01', 'limit', { code: 'not_an_integer' }, /1 to 1000/],
    ['limit=1&%6Cimit=1', 'limit', { code: 'repeated' }, /only once/],
    ['limit', 'limit', { code: 'blank' }, /needs a value/],
    ['offset=10001', 'offset', { code: 'out_of_range', limit: 10_000 }, /cursor/],
    ['ordering=body', 'ordering', { code: 'not_one_of' }, /pub_date, -pub_date/],
    ['fields=id,version', 'fields', { code: 'not_one_of' }, /id, title, .*, body, modified, etag, comma/],
    ['fields=title,id,title', 'fields', { code: 'repeated' }, /each once/],
    ['id=0', 'id', { code: 'out_of_range', limit: 2 ** 53 - 1 }, /100 ids.*1 to 9007199254740991/],
    ['id=1,x', 'id', { code: 'not_an_integer' }, /100 ids/],
    ['id=1,07', 'id', { code: 'not_an_integer' }, /100 ids/],
    ['id=1&id=', 'id', { code: 'blank' }, /needs a value/],
    ['id[]=1&id[]=2', 'id[]', { code: 'unknown_parameter' }, /; send id without brackets, in axios by /],
    ['title[]=1', 'title[]', { code: 'unknown_parameter' }, UNKNOWN],
    [
      `id=${Array.from({ length: 101 }, (_, n) => n + 1).join()}`,
      'id',
      { code: 'too_many', limit: 100 },
      /ids/,
    ],
    ['pub_date_after=x', 'pub_date_after', { code: 'not_a_date' }, /ISO 8601/],
    ['pub_date_before=2026-02-30', 'pub_date_before', { code: 'not_a_date' }, /ISO 8601/],
    ['modified_after=', 'modified_after', { code: 'blank' }, /needs a value/],
    [`title=${'a'.repeat(201)}`, 'title', { code: 'too_long', limit: 200 }, /200 characters/],
    ['title=a%00b', 'title', { code: 'null_character' }, /^The value must not contain U\+0000/],
    ['title=%', 'title', { code: 'not_utf8' }, /not percent-encoded UTF-8/],
    ['title=%ED%A0%80', 'title', { code: 'not_utf8' }, /not percent-encoded UTF-8/],
    ['%FF=1', '', { code: 'not_utf8' }, /A name of a parameter/],
    ['cursor=AAAA', 'cursor', { code: 'bad_cursor' }, /a Link of a list/],
    ['x=1', 'x', { code: 'unknown_parameter' }, UNKNOWN],
    ['__proto__=1', '__proto__', { code: 'unknown_parameter' }, UNKNOWN],
    [`${'%F0%9F%98%80'.repeat(101)}=1`, `${'😀'.repeat(99)}…`, { code: 'unknown_parameter' }, UNKNOWN],
  ])('is refused with a code and the allowed values: %s', async (query, parameter, fault, detail) => {
    const { status, errors } = (await service.get(`/posts/?${query}`)).problem;
    expect(status).toBe(400);
    expect(errors).toEqual([{ detail: expect.stringMatching(detail), ...fault, parameter }]);
  });

  it('is refused together with all other faults', async () => {
    const response = await service.get('/posts/?limit=0&ordering=x&id=0&fields=x&offset=-1&z=1');
    const names = ['fields', 'id', 'limit', 'offset', 'ordering', 'z'];
    expect(response.faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`));
    // Each once, and a hundred at most.
    const places = (await service.get('/posts/?c=1&title=&d=1&c=2&title=%')).faultyPlaces;
    expect(places).toEqual(['parameter c', 'parameter title', 'parameter d']);
    const many = Array.from({ length: 700 }, (_, index) => `x${index}=1`).join('&');
    expect((await service.get(`/posts/?${many}`)).problem.errors).toHaveLength(100);
  });

  it.each([
    ['POST', '/posts/?limit=1'],
    ['GET', '/posts/1/?fields=id'],
    ['DELETE', '/posts/1/?x=1'],
    ['GET', '/problems/?x=1'],
  ])('is refused for every method and path: %s %s', async (method, target) => {
    const body = method === 'POST' ? { json: { title: 'a', body: 'b' } } : {};
    expect((await service.request(method, target, body)).status).toBe(400);
  });
});

interface Page {
  readonly posts: PostJson[];
  readonly links: Readonly<Record<string, string>>;
}

async function pageAt(target: string): Promise<Page> {
  const response = await service.get(target);
  expect(response.status).toBe(200);
  return { posts: response.json(), links: pageLinksOf(response) };
}

/** Follows the links of a relation, starting at a target. @returns all pages */
async function walk(target: string, rel: 'next' | 'prev'): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | undefined = target; at !== undefined; at = pages.at(-1)!.links[rel]) {
    pages.push(await pageAt(at));
    if (pages.length > 200) throw new Error('The walk does not end.');
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.map(({ posts }) => posts.map(({ id }) => id));

/** Posts with equal dates and titles, and with titles whose code point order differs from UTF-16 order. */
function manyPosts(count: number): Promise<PostJson[]> {
  const titles = ['b', 'a', '\uFFFD', '😀', 'b', 'B', String.raw`"'\u0000%`, ' \u2028\tx'];
  return service.createAll(
    Array.from({ length: count }, (_, index) => ({
      title: titles[index % titles.length]!,
      pub_date: `2026-01-0${1 + (index % 4)}T00:00:00.${'0'.repeat(5)}${index % 3}Z`,
    })),
  );
}

const pagesOf = (posts: readonly PostJson[], limit: number) =>
  Array.from({ length: Math.ceil(posts.length / limit) }, (_, page) =>
    posts.slice(page * limit, (page + 1) * limit).map(({ id }) => id),
  );

describe('a page', () => {
  const BODIES = ['one', 'x'.repeat(300_000), ',{"id":7,"title":"b"},{"', '\\","},{"\\', '\n{"', '', 'last'];

  it.each(['', '&fields=title,body', '&fields=body,id', '&fields=title'])(
    'shows nothing of the post behind it, whatever their texts are%s',
    async (fields) => {
      const year = 1801 + fields.length;
      const posts = await service.createAll(
        BODIES.map((body, day) => ({
          title: `{"${day}`,
          body,
          pub_date: `${year}-01-0${day + 1}T00:00:00Z`,
        })),
      );
      const list = `/posts/?pub_date_after=${year}-01-01&pub_date_before=${year + 1}-01-01&ordering=pub_date${fields}`;
      const whole = (await service.get(list)).json<object[]>();
      expect(whole).toHaveLength(posts.length);
      for (const limit of [1, 2, 3]) {
        const pages = [await service.get(`${list}&limit=${limit}`)];
        for (let next = pages[0]!.links['next']; next; next = pages.at(-1)!.links['next'])
          pages.push(await service.get(next));
        expect(pages.map((page) => page.json<object[]>().length)).toEqual(
          pages.map((_, place) => Math.min(limit, posts.length - place * limit)),
        );
        expect(pages.flatMap((page) => page.json<object[]>())).toEqual(whole);
        const lines = await service.get(`${list}&limit=${limit}`, { Accept: 'application/x-ndjson' });
        const shown = lines.text.trimEnd().split('\n');
        expect(shown.map((line) => JSON.parse(line) as object)).toEqual(whole.slice(0, limit));
      }
    },
  );
});

describe('a page with long bodies', () => {
  it.each([
    [262_143, 262_144],
    [262_144, 262_145],
  ])(
    'has all of them, below and above the size up to which they are read together: %i, %i',
    async (...sizes) => {
      const posts = await service.createAll(sizes.map((size) => ({ body: 'x'.repeat(size) })));
      const listed = await service.get(listOf(posts, '&ordering=id&limit=2&fields=body'));
      expect(listed.json<PostJson[]>().map(({ body }) => body.length)).toEqual(sizes);
    },
  );
});

describe('the links of a page', () => {
  it('keep all parameters as they were written, repeated or with commas', async () => {
    const posts = await service.createAll([{ title: 'a b' }, { title: 'a b' }, { title: 'a b' }]);
    const ids = posts.map(({ id }) => id);
    for (const list of [`id=${ids.join('&id=')}&fields=title`, `fields=title&id=${ids.join('%2C')}`]) {
      const query =
        `limit=1&ordering=id&title=a+b&pub_date_after=2000-01-01T00:00%2B01:00` +
        `&pub_date_before=9999-12-31&fields=id&${list}`;
      const { links } = await pageAt(`/posts/?${query}`);
      expect(links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
      expect(links['next']!.replace(/&cursor=[\w-]+$/, '')).toBe(`${service.baseUrl}/posts/?${query}`);
      const second = await pageAt(links['next']!);
      expect(second.posts).toEqual([{ id: ids[1], title: 'a b' }]);
      expect(second.links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
    }
  });

  it('lead forwards and backwards from a page at an offset, also beyond the end', async () => {
    const posts = await manyPosts(10);
    const list = listOf(posts, '&limit=2&ordering=id');
    // A name may be percent-encoded.
    const opened = await pageAt(`${list}&o%66fset=5`);
    expect(opened.posts).toEqual(posts.slice(5, 7));
    expect(idsOf(await walk(opened.links['next']!, 'next'))).toEqual(pagesOf(posts.slice(7), 2));
    const back = idsOf(await walk(opened.links['prev']!, 'prev')).toReversed();
    expect(back).toEqual([...pagesOf(posts.slice(0, 1), 1), ...pagesOf(posts.slice(1, 5), 2)]);
    const beyond = await pageAt(`${list}&offset=100`);
    expect([beyond.posts, Object.keys(beyond.links)]).toEqual([[], ['prev', 'first']]);
    const last = await pageAt(beyond.links['prev']!);
    expect([last.posts, Object.keys(last.links)]).toEqual([posts.slice(8), ['prev', 'first']]);
  });

  it.each<[string, number, string[], string?]>([
    ['a', 4_096, ['next', 'prev', 'first']],
    ['a', 4_096, ['next', 'prev'], 'x'.repeat(900)],
    ['"'.repeat(190), 4_096, ['next', 'first'], 'x'.repeat(900)],
    ['"'.repeat(190), 8_192, ['next', 'prev'], 'x'.repeat(2_000)],
    ['"'.repeat(190), 8_192, ['next'], 'x'.repeat(4_900)],
  ])(
    'leave room for other fields: titles of %s in %i bytes have %j',
    async (title, bytes, rels, filler = '') => {
      const posts = await service.createAll([1, 2, 3].map((digit) => ({ title: title + digit })));
      const list = listOf(posts, `&limit=1&ordering=title&offset=1`);
      // Zeros beyond microseconds are cut.
      const query = filler && `&pub_date_after=2000-01-01T00:00:00.${filler.replaceAll('x', '0')}Z`;
      const response = await service.get(list + query);
      const { headers, links } = response;
      expect(Object.keys(pageLinksOf(response))).toEqual(rels);
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      expect(fields.join('').length).toBeLessThan(bytes - 100);
      expect((await pageAt(links['next']!)).posts).toEqual([posts[2]]);
    },
  );

  it('are refused with the request when they would be too long to follow', async () => {
    const zeros = (count: number): string =>
      `/posts/?pub_date_after=2000-01-01T00:00:00.${'0'.repeat(count)}Z`;
    await manyPosts(2);
    expect((await service.get(`${zeros(5_560)}&limit=1000`)).status).toBe(200);
    for (const target of [`${zeros(5_560)}&limit=1`, zeros(6_000).replace('/?', '?'), zeros(10_000)])
      expect((await service.get(target)).problem).toMatchObject({ status: 414, code: 'uri-too-long' });
  });

  it.each(['pub_date', '-pub_date', 'id', '-id', 'title', '-title', 'modified', '-modified'])(
    'lead through a list with any filter, to its end and back, by %s',
    async (ordering) => {
      const posts = await manyPosts(9);
      const dates = ['2026-01-02', '2026-01-02T00:00:00.000001Z', '2026-01-03T00:00:00.000002Z'];
      const bounds = dates.flatMap((date) => [`pub_date_after=${date}`, `pub_date_before=${date}`]);
      for (const filter of [...bounds, 'title=b', `title=b&pub_date_after=${dates[1]}`]) {
        const list = listOf(posts, `&ordering=${ordering}&${filter}`);
        const whole = (await pageAt(list)).posts.map(({ id }) => [id]);
        const pages = await walk(`${list}&limit=1`, 'next');
        expect(idsOf(pages)).toEqual(whole.length === 0 ? [[]] : whole);
        const back = await walk(pages.at(-1)!.links['prev'] ?? list, 'prev');
        expect(idsOf(back).toReversed()).toEqual(whole.length < 2 ? idsOf(pages) : whole.slice(0, -1));
      }
    },
  );

  it('do not include next when the last page is exactly full', async () => {
    const posts = await manyPosts(4);
    const [, second, ...rest] = await walk(listOf(posts, '&limit=2'), 'next');
    expect([second!.posts.length, Object.keys(second!.links), rest]).toEqual([2, ['prev', 'first'], []]);
    expect(Object.keys((await pageAt(listOf(posts, '&limit=4'))).links)).toEqual(['first']);
    expect(Object.keys((await pageAt(listOf(posts, '&limit=2&offset=2'))).links)).toEqual(['prev', 'first']);
  });

  it.each<[string, string, (link: string) => string]>([
    [
      'with another limit and other fields',
      '&ordering=id',
      (link) => link.replace('limit=2', 'limit=3&fields=id'),
    ],
    ['when the default ordering is written out', '', (link) => `${link}&ordering=-pub_date`],
    ['with a rewritten filter', '&pub_date_after=2000-01-01', (link) => link.replace('01&', '01T00:00Z&')],
  ])('stay valid %s', async (_, query, alter) => {
    const posts = await manyPosts(7);
    const { links } = await pageAt(listOf(posts, `${query}&limit=2`));
    const [, third] = (await pageAt(links['next']!)).posts;
    expect((await pageAt(alter(links['next']!))).posts[1]).toMatchObject({ id: third!.id });
  });
});

describe('a cursor', () => {
  const detail = expect.stringContaining('a Link of a list with the same ordering and filters, unaltered.');
  const refused = { code: 'bad_cursor', parameter: 'cursor', detail };
  const excluded = { code: 'mutually_exclusive', parameter: 'offset', detail: expect.any(String) };

  // src/paging/page-cursor.spec.ts has all alterations.
  it.each<[string, (link: string) => string, object]>([
    ['with another ordering', (link) => link.replace('ordering=id', 'ordering=-id'), refused],
    ['with another filter', (link) => link.replace(/id=\d+,/, 'id='), refused],
    ['with an offset', (link) => `${link}&offset=0`, excluded],
  ])('is refused %s', async (_, alter, fault) => {
    const { links } = await pageAt(listOf(await manyPosts(5), '&ordering=id&limit=2'));
    expect((await service.get(alter(links['next']!))).problem.errors).toEqual([fault]);
  });

  // A client can compute the digest.
  it.each<[number, ...PageCursor['key']]>([
    [400, 'a\0b', 1],
    [400, '\ud800', -1],
    [400, 7],
    [400, 'a', '7'],
    [400, 7, 7],
    [400, 'a', 7, 7],
    [200, '', -1],
    [200, '', Number.MAX_SAFE_INTEGER],
  ])('that is forged gets %i: %j %j', async (status, ...key) => {
    const cursor = encodePageCursor({ scope: JSON.stringify(['title', {}]), direction: 'next', key });
    expect((await service.get(`/posts/?ordering=title&cursor=${cursor}`)).status).toBe(status);
  });
});

describe('paging through a list whose posts are deleted', () => {
  beforeEach(() => service.database.execute('DELETE FROM posts'));

  it('continues when the post at its position is deleted', async () => {
    const posts = await manyPosts(6);
    const first = await pageAt(listOf(posts, '&ordering=id&limit=2'));
    await service.delete(`/posts/${posts[1]!.id}/`);
    await service.delete(`/posts/${posts[2]!.id}/`);
    const second = await pageAt(first.links['next']!);
    expect(second.posts).toEqual(posts.slice(3, 5));
    expect((await pageAt(second.links['prev']!)).posts).toEqual(posts.slice(0, 1));
  });

  it('leads back from a page whose posts were deleted, and only to the start when all were', async () => {
    const posts = await manyPosts(4);
    const first = await pageAt(listOf(posts, '&ordering=title&limit=2'));
    const next = first.links['next']!;
    for (const { id } of (await pageAt(next)).posts) await service.delete(`/posts/${id}/`);
    const emptied = await pageAt(next);
    expect([emptied.posts, Object.keys(emptied.links)]).toEqual([[], ['prev', 'first']]);
    expect((await pageAt(emptied.links['prev']!)).posts).toEqual(first.posts);
    for (const { id } of first.posts) await service.delete(`/posts/${id}/`);
    const nothing = await pageAt(next);
    expect([nothing.posts, Object.keys(nothing.links)]).toEqual([[], ['first']]);
  });
});
