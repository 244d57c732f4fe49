import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** The list of only these posts. */
const among = (posts: readonly PostJson[], query = '') =>
  `/posts/?id=${posts.map(({ id }) => id).join()}${query}`;

async function titlesOf(path: string): Promise<string[]> {
  return (await service.get(path)).json<PostJson[]>().map(({ title }) => title);
}

describe('GET /posts/', () => {
  it('returns a bare array of whole posts', async () => {
    const posts = await service.createAll([{ title: 'a' }, { title: 'b', body: 'é' }]);
    const path = among(posts, '&ordering=id');
    expect((await service.get(path)).shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        etag: expect.stringMatching(/^"[^"]+"$/),
        link: `<${service.baseUrl}${path}>; rel="first"`,
      },
      body: posts,
    });
  });

  it('returns an empty array without posts', async () => {
    const empty = await startService();
    for (const ordering of ['pub_date', '-pub_date', 'id', '-id', 'title', '-title']) {
      const response = await empty.get(`/posts/?ordering=${ordering}`, { Prefer: 'count=exact' });
      expect([response.status, response.text, response.headers['x-total-count']]).toEqual([200, '[]', '0']);
    }
    const { headers, text } = await empty.get('/posts/');
    expect([text, headers['link']]).toEqual(['[]', `<${empty.baseUrl}/posts/>; rel="first"`]);
    await empty.stop();
  });

  it('shows the newest 100 by default', async () => {
    const full = await startService();
    const posts = await Promise.all(
      Array.from({ length: 101 }, (_, day) =>
        full.create({ pub_date: new Date(Date.UTC(2026, 0, 1 + day)).toISOString() }),
      ),
    );
    const response = await full.get('/posts/');
    const newest = posts.toSorted((a, b) => (a.pub_date < b.pub_date ? 1 : -1)).slice(0, 100);
    expect(response.json()).toEqual(newest);
    expect(Object.keys(parseLinks(response.headers['link']))).toEqual(['next', 'first']);
    await full.stop();
  });

  it('shows each change at once, from any client', async () => {
    const post = await service.create({ title: 'before' });
    const list = among([post]);
    for (const title of ['one', 'two', 'three']) {
      await service.put(post.path, { title, body: '' });
      expect(await titlesOf(list)).toEqual([title]);
      expect((await service.get(post.path)).json()).toMatchObject({ title });
    }
    await service.database.execute(
      `UPDATE posts SET title = 'from outside', version = 9 WHERE id = ${post.id}`,
    );
    expect(await titlesOf(list)).toEqual(['from outside']);
    expect((await service.get(post.path)).etag).toBe(`"${post.id}-9"`);
    await service.database.execute(`DELETE FROM posts WHERE id = ${post.id}`);
    expect(await titlesOf(list)).toEqual([]);
    expect((await service.get(post.path)).status).toBe(404);
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
    ['', [4, 2, 0, 3, 1]],
    ['&ordering=-pub_date', [4, 2, 0, 3, 1]],
    ['&ordering=pub_date', [1, 3, 0, 2, 4]],
    ['&ordering=id', [0, 1, 2, 3, 4]],
    ['&ordering=-id', [4, 3, 2, 1, 0]],
    ['&ordering=title', [1, 2, 0, 4, 3]],
    ['&ordering=-title', [3, 4, 0, 2, 1]],
    ['&ordering=modified', [0, 1, 2, 3, 4]],
    ['&ordering=-modified', [4, 3, 2, 1, 0]],
  ])('"%s" has ties broken by id in the same direction', async (query, places) => {
    const posts = await service.createAll(fields);
    const listed = (await service.get(among(posts, query))).json<PostJson[]>();
    expect(listed).toEqual(places.map((place) => posts[place]));
  });

  it('of titles is by code point', async () => {
    const titles = [
      ' ',
      '!',
      '0',
      '10',
      '9',
      'A',
      'Z',
      'Zz',
      '_',
      'a',
      'a ',
      'a!',
      'aa',
      'b',
      'z',
      '~',
      'e\u0301',
      '\u00c4',
      '\u00e9',
      '\u0130',
      '\u03a9',
      '\u4e2d',
      '\ufb01',
      '\uff21',
      '\uffee',
      '\ufffd',
      '\u{1F600}',
      '\u{1F600}a',
      '\u{20000}',
      '\u{10FFFF}',
    ].map((title) => (title.trim() === '' ? `${title}x` : title));
    const byCodePoint = titles.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const posts = await service.createAll(titles.toReversed().map((title) => ({ title })));
    expect(await titlesOf(among(posts, '&ordering=title'))).toEqual(byCodePoint);
    expect(await titlesOf(among(posts, '&ordering=-title'))).toEqual(byCodePoint.toReversed());
    expect(byCodePoint.indexOf('\ufffd')).toBeLessThan(byCodePoint.indexOf('\u{1F600}'));
  });

  it('of dates is by time, over all of them', async () => {
    const dates = [
      '0001-01-01T00:00:00.000Z',
      '0099-12-31T00:00:00.000Z',
      '1000-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999999Z',
      '1970-01-01T00:00:00.000Z',
      '2026-11-20T14:40:00.000Z',
      '2026-11-20T14:40:00.000001Z',
      '2026-11-20T14:40:00.001Z',
      '2026-11-20T14:40:00.010Z',
      '9999-12-31T23:59:59.999999Z',
    ];
    const posts = await service.createAll(dates.toReversed().map((pub_date) => ({ pub_date })));
    const listed = (await service.get(among(posts, '&ordering=pub_date'))).json<PostJson[]>();
    expect(listed.map(({ pub_date }) => pub_date)).toEqual(dates);
  });

  it('of ids is by number', async () => {
    const some = await startService();
    await some.createAll(Array.from({ length: 11 }, () => ({})));
    const listed = (await some.get('/posts/?ordering=id')).json<PostJson[]>();
    expect(listed.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    await some.stop();
  });
});

describe('limit and offset', () => {
  it('cut the list', async () => {
    const posts = await service.createAll(['a', 'b', 'c', 'd'].map((title) => ({ title })));
    const list = among(posts, '&ordering=title');
    expect(await titlesOf(`${list}&limit=2`)).toEqual(['a', 'b']);
    expect(await titlesOf(`${list}&limit=2&offset=1`)).toEqual(['b', 'c']);
    expect(await titlesOf(`${list}&offset=3`)).toEqual(['d']);
    expect(await titlesOf(`${list}&offset=4`)).toEqual([]);
    expect(await titlesOf(`${list}&offset=0`)).toEqual(['a', 'b', 'c', 'd']);
    expect(await titlesOf(`${list}&limit=1000&offset=10000`)).toEqual([]);
  });
});

describe('pub_date_after and pub_date_before', () => {
  it.each([
    ['pub_date_after=2026-01-02', ['b', 'c', 'd']],
    ['pub_date_after=2026-01-02T00:00:00.000001Z', ['c', 'd']],
    ['pub_date_after=2026-01-02T01:00:00%2B01:00', ['b', 'c', 'd']],
    ['pub_date_after=2026-01-02%2001:00%2B01:00', ['b', 'c', 'd']],
    ['pub_date_before=2026-01-02', ['a']],
    ['pub_date_before=2026-01-02T00:00:00.000001Z', ['a', 'b']],
    ['pub_date_before=2026-01-02t00:00:00.0000019z', ['a', 'b']],
    ['pub_date_after=2026-01-02&pub_date_before=2026-01-03', ['b', 'c']],
    ['pub_date_after=2026-01-03&pub_date_before=2026-01-02', []],
    ['pub_date_after=0001-01-01&pub_date_before=9999-12-31', ['a', 'b', 'c', 'd']],
  ])('%s: from then on, and before then', async (query, titles) => {
    const posts = await service.createAll([
      { title: 'a', pub_date: '2026-01-01T23:59:59.999999Z' },
      { title: 'b', pub_date: '2026-01-02T00:00:00.000Z' },
      { title: 'c', pub_date: '2026-01-02T00:00:00.000001Z' },
      { title: 'd', pub_date: '2026-01-03T00:00:00.000Z' },
    ]);
    expect(await titlesOf(among(posts, `&ordering=title&${query}`))).toEqual(titles);
  });
});

describe('title', () => {
  it('matches exactly', async () => {
    const titles = [
      'Tea',
      'tea',
      'Tea ',
      ' Tea',
      'Te\u0301a',
      'T\u00e9a',
      'T%',
      '_ea',
      "T'a",
      'Tea&cup',
      '😀',
    ];
    const posts = await service.createAll(titles.map((title) => ({ title })));
    for (const title of titles) {
      expect(await titlesOf(among(posts, `&title=${encodeURIComponent(title)}`))).toEqual([title]);
    }
    expect(await titlesOf(among(posts, '&title=Coffee'))).toEqual([]);
    expect(await titlesOf(among(posts, '&title=Tea+'))).toEqual(['Tea ']);
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

  it.each([',', '%2C', '&id='])('takes 1000 ids of 16 digits, with %s between them', async (comma) => {
    const ids = Array.from({ length: 1_000 }, (_, index) => 9_007_199_254_740_991 - index);
    const response = await service.get(`/posts/?id=${ids.join(comma)}`);
    expect([response.status, response.json()]).toEqual([200, []]);
  });

  it('takes 1000 ids', async () => {
    const { id } = await service.create({ title: 'a' });
    const ids = [id, ...Array.from({ length: 999 }, (_, index) => id + 1 + index)];
    expect(await titlesOf(`/posts/?id=${ids.join()}`)).toEqual(['a']);
  });
});

describe('fields', () => {
  it.each([
    ['id', ['id']],
    ['title', ['title']],
    ['pub_date', ['pub_date']],
    ['body', ['body']],
    ['body,id', ['id', 'body']],
    ['pub_date,title,id', ['id', 'title', 'pub_date']],
    ['id%2Ctitle', ['id', 'title']],
    ['title&fields=id', ['id', 'title']],
    ['title&fields=id,body', ['id', 'title', 'body']],
    ['body,pub_date,title,id', ['id', 'title', 'pub_date', 'body']],
  ])('%s: leaves the others out, in the order of a post', async (fields, shown) => {
    const post = await service.create();
    const expected = Object.fromEntries(shown.map((field) => [field, Reflect.get(post, field)]));
    for (const ordering of ['pub_date', '-id', 'title']) {
      const { text } = await service.get(among([post], `&ordering=${ordering}&fields=${fields}`));
      expect(text).toBe(JSON.stringify([expected]));
    }
  });
});

describe('all parameters together', () => {
  it('hold at once', async () => {
    const posts = await service.createAll([
      { title: 'a', pub_date: '2026-01-01T00:00:00.000Z' },
      { title: 'x', pub_date: '2026-01-02T00:00:00.000Z' },
      { title: 'x', pub_date: '2026-01-03T00:00:00.000Z' },
      { title: 'x', pub_date: '2026-01-04T00:00:00.000Z' },
      { title: 'x', pub_date: '2026-01-05T00:00:00.000Z' },
    ]);
    const query =
      '&title=x&pub_date_after=2026-01-02&pub_date_before=2026-01-05&ordering=-pub_date&limit=1&offset=1&fields=id';
    const response = await service.get(among(posts, query), { Prefer: 'count=exact' });
    expect(response.json()).toEqual([{ id: posts[2]!.id }]);
    expect(response.headers['x-total-count']).toBe('3');
    expect(Object.keys(parseLinks(response.headers['link']))).toEqual(['next', 'prev', 'first']);
  });
});

describe('Prefer: count=exact', () => {
  it.each(['count=exact', 'Count = "exact"', 'respond-async, count=exact; foo', 'wait=5,count=exact'])(
    '"%s" counts the whole list',
    async (prefer) => {
      const posts = await service.createAll([{}, {}, {}]);
      const { headers } = await service.get(among(posts, '&limit=1&offset=1'), { Prefer: prefer });
      expect(headers).toMatchObject({ 'x-total-count': '3', 'preference-applied': 'count=exact' });
      const fields = await service.get(among(posts, '&fields=title'), { Prefer: prefer });
      expect(fields.headers['x-total-count']).toBe('3');
    },
  );

  it.each([
    '',
    'count',
    'count=none',
    'count=estimated',
    'count=EXACT',
    'return=minimal',
    'count=none, count=exact',
  ])('"%s" counts nothing', async (prefer) => {
    const { headers } = await service.get('/posts/?limit=1', { Prefer: prefer });
    expect(headers).not.toHaveProperty('x-total-count');
    expect(headers).not.toHaveProperty('preference-applied');
  });

  it('is only in responses to requests that asked for it, when both kinds share a page', async () => {
    const posts = await service.createAll([{}, {}]);
    for (let round = 0; round < 2; round += 1) {
      expect((await service.get(among(posts))).headers).not.toHaveProperty('x-total-count');
      const counted = await service.get(among(posts), { Prefer: 'count=exact' });
      expect(counted.headers['x-total-count']).toBe('2');
    }
  });
});

describe('a parameter of a list that breaks a rule', () => {
  it.each(
    [
      [
        'limit',
        [
          '0',
          '-1',
          '1001',
          '1e2',
          '010',
          '10.0',
          '0x10',
          '+5',
          '%205',
          'ten',
          'NaN',
          '',
          '99999999999999999999',
        ],
      ],
      ['offset', ['-1', '10001', '1.5', '00', '01', 'x', '', '%00']],
      [
        'ordering',
        [
          '',
          'body',
          '-body',
          '--id',
          '+id',
          '%2Bid',
          'ID',
          'pub-date',
          'pubDate',
          'id,title',
          'id%20',
          'version',
          'id%20DESC',
          'random',
        ],
      ],
      [
        'pub_date_after',
        [
          '',
          'yesterday',
          '2026-02-30',
          '2026-01-01T24:00:00',
          '20260101',
          '2026-01-01T00:00:00+01:00',
          '0000-01-01',
          '0',
        ],
      ],
      ['pub_date_before', ['', 'tomorrow', '2026-13-01', '10000-01-01', '2026-01-01T00:00:60Z']],
      ['title', ['', '%20', '%00', 'a%00', 'a'.repeat(201), '%ff', '%', '%ed%a0%80']],
      [
        'id',
        [
          '',
          '0',
          '007',
          '-1',
          '1.0',
          'x',
          '1,',
          ',1',
          '1,,2',
          '1,1',
          '1,01',
          '1%202',
          '1;2',
          '9007199254740992',
          '1-5',
          '*',
          'null',
        ],
      ],
      [
        'fields',
        [
          '',
          'author',
          'ID',
          'id,',
          ',id',
          'id,id',
          'id%20',
          'id;title',
          '*',
          'version',
          'pubDate',
          'id,title,id',
          '__proto__',
        ],
      ],
      ['cursor', ['', 'x', 'AAAA', '%00', '%ff', 'null', '../../etc/passwd']],
      ['limt', ['10']],
      ['page', ['2']],
      ['sort', ['id']],
      ['order_by', ['id']],
      ['_', ['1']],
      ['__proto__', ['1']],
      ['constructor', ['1']],
      ['pub_date', ['2026-01-01']],
      ['body', ['a']],
      ['format', ['json']],
      ['Limit', ['10']],
      ['limit[]', ['10']],
    ].flatMap(([name, values]) => (values as string[]).map((value) => [name as string, value])),
  )('is refused by name: %s=%s', async (name, value) => {
    const response = await service.get(`/posts/?${name}=${value}`);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces).toEqual([`parameter ${name}`]);
    expect(response.problem.errors![0]!.detail).toMatch(/^[A-Z].{10,}\.$/);
  });

  it.each([
    ['limit=5&limit=5', ['limit']],
    ['limit=5&limit=6', ['limit']],
    ['ordering=id&ordering=title', ['ordering']],
    ['id=1&id=1', ['id']],
    ['id=1,2&id=2', ['id']],
    ['id=1&id=', ['id']],
    ['id=1&id=x', ['id']],
    ['title=a&title=a', ['title']],
    ['fields=id&fields=id', ['fields']],
    ['fields=id&fields=x', ['fields']],
    ['search=a&search=b', ['search']],
    ['cursor=a&cursor=a', ['cursor']],
    ['limit=5&l%69mit=5', ['limit']],
    ['limit', ['limit']],
    ['limit=&offset=', ['limit', 'offset']],
    ['x=1&y=2', ['x', 'y']],
    ['%ff=1', ['']],
    ['limit=0&ordering=x&id=0&fields=x&offset=-1&z=1', ['z', 'limit', 'offset', 'ordering', 'id', 'fields']],
  ])('is refused together with all other faults: %s', async (query, names) => {
    const response = await service.get(`/posts/?${query}`);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces.toSorted()).toEqual(names.map((name) => `parameter ${name}`).toSorted());
  });

  it.each([
    ['limit=0', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=-1', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=99999999999999999999', 'limit', { code: 'out_of_range', limit: 1000 }, /1 to 1000/],
    ['limit=007', 'limit', { code: 'not_an_integer' }, /1 to 1000/],
    ['offset=10001', 'offset', { code: 'out_of_range', limit: 10_000 }, /0 to 10000.*cursor/],
    ['ordering=x', 'ordering', { code: 'not_one_of' }, /pub_date, -pub_date, id, -id, title, -title/],
    ['fields=x', 'fields', { code: 'not_one_of' }, /id, title, pub_date, body/],
    ['fields=id,id', 'fields', { code: 'repeated' }, /each once/],
    [
      'id=0',
      'id',
      { code: 'out_of_range', limit: Number.MAX_SAFE_INTEGER },
      /1000 ids.*1 to 9007199254740991/,
    ],
    ['id=1,x', 'id', { code: 'not_an_integer' }, /1000 ids/],
    ['id=1,1', 'id', { code: 'repeated' }, /each once/],
    ['pub_date_after=x', 'pub_date_after', { code: 'not_a_date' }, /ISO 8601/],
    ['title=%20', 'title', { code: 'blank' }, /white space/],
    ['search=a%00', 'search', { code: 'null_character' }, /U\+0000/],
    ['search=%ff', 'search', { code: 'not_utf8' }, /UTF-8/],
    ['limit=', 'limit', { code: 'blank' }, /needs a value/],
    ['limit=1&limit=1', 'limit', { code: 'repeated' }, /only once/],
    ['x=1', 'x', { code: 'unknown_parameter' }, /limit, cursor, offset, ordering/],
  ])('gets the allowed values: %s', async (query, parameter, fault, detail) => {
    const { errors } = (await service.get(`/posts/?${query}`)).problem;
    expect(errors).toEqual([{ detail: expect.stringMatching(detail), ...fault, parameter }]);
  });

  it('is refused when it is one id too many', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    const refused = await service.get(`/posts/?id=${ids.join()}`);
    expect(refused.faultyPlaces).toEqual(['parameter id']);
    expect(refused.problem.errors).toMatchObject([{ code: 'too_many', limit: 1000 }]);
    expect((await service.get(`/posts/?id=${ids.join('&id=')}`)).faultyPlaces).toEqual(['parameter id']);
  });

  it.each([
    ['HEAD', '/posts/?x=1'],
    ['POST', '/posts/?x=1'],
    ['POST', '/posts/?limit=1'],
    ['PUT', '/posts/?id=1&x=1'],
    ['DELETE', '/posts/?id=1&limit=1'],
    ['GET', '/posts/1/?x=1'],
    ['GET', '/posts/1/?fields=id'],
    ['HEAD', '/posts/1/?x=1'],
    ['PUT', '/posts/1/?x=1'],
    ['DELETE', '/posts/1/?x=1'],
    ['GET', '/?x=1'],
    ['GET', '/problems/?x=1'],
  ])('is refused for every method and path: %s %s', async (method, target) => {
    const body = { title: 'a', body: 'b' };
    const response = await service.request(
      method,
      target,
      ['POST', 'PUT'].includes(method) ? { json: body } : {},
    );
    expect(response.status).toBe(400);
  });
});

describe('a query', () => {
  it.each(['?', '?&', '?&&limit=1&', '?l%69mit=%31'])('may be written as %s', async (query) => {
    expect((await service.get(`/posts/${query}`)).status).toBe(200);
  });

  it('may be long', async () => {
    const title = '😀'.repeat(200);
    await service.create({ title });
    expect(await titlesOf(`/posts/?title=${encodeURIComponent(title)}`)).toEqual([title]);
  });
});
