import { encodePageCursor } from '../../src/common/page-cursor.js';
import { formatPubDate, parsePubDate } from '../../src/posts/pub-date.js';
import { freshDatabase } from '../support/database.js';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { randomNumbers } from '../support/properties.js';
import { type Service, startService } from '../support/service.js';

/** Settings that leave the database as the only difference between two services. */
const SAME = { PUBLIC_URL: 'http://posts.test' };

const databases = [await freshDatabase('sqlite'), await freshDatabase('postgres')];
const services = await Promise.all(databases.map(({ url }) => startService({ ...SAME, DATABASE_URL: url })));
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all(databases.map((database) => database.remove()));
});

/** Sends a request to both services and expects identical responses. @returns the response */
async function ask(method: string, target: string, options: RequestOptions = {}): Promise<HttpResponse> {
  const request = { ...options, headers: { 'X-Request-Id': 'same', ...options.headers } };
  const [onSqlite, onPostgres] = (await Promise.all(
    services.map((service: Service) => service.request(method, target, request)),
  )) as [HttpResponse, HttpResponse];
  const shown = (response: HttpResponse) => ({
    status: response.status,
    headers: { ...response.headers, date: undefined, 'last-modified': undefined },
  });
  expect({ method, target, ...shown(onPostgres) }).toEqual({ method, target, ...shown(onSqlite) });
  // Compare the bytes first: a diff of megabytes does not help.
  if (!onPostgres.bytes.equals(onSqlite.bytes))
    expect(onPostgres.text.slice(0, 2_000)).toBe(onSqlite.text.slice(0, 2_000));
  expect(onPostgres.bytes.equals(onSqlite.bytes)).toBe(true);
  return onPostgres;
}

/** The number of concurrent requests: enough to keep both databases busy while the test checks a response. */
const AT_ONCE = 8;

/** Sends GET requests, some at the same time. @returns the responses, in order */
async function askAll(targets: readonly string[], options: RequestOptions = {}): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let start = 0; start < targets.length; start += AT_ONCE) {
    const some = targets.slice(start, start + AT_ONCE).map((target) => ask('GET', target, options));
    responses.push(...(await Promise.all(some)));
  }
  return responses;
}

/** Walks through a list to its end, and back by the links to the previous pages. @returns the ids, in order */
async function walk(target: string): Promise<number[]> {
  const pages: string[] = [];
  let [at, back]: (string | undefined)[] = [target];
  while (at !== undefined) {
    const page = await ask('GET', at);
    expect(page.status).toBe(200);
    pages.push(page.text);
    const { next, prev, first } = page.links;
    expect([first, prev === undefined]).toEqual([`${SAME.PUBLIC_URL}${target}`, pages.length === 1]);
    [at, back] = [next, prev];
  }
  for (let place = pages.length - 2; back !== undefined; place -= 1) {
    const page = await ask('GET', back);
    expect(page.text === pages[place]).toBe(true);
    back = page.links['prev'];
    expect(back === undefined).toBe(place === 0);
  }
  return pages.flatMap((page) => (JSON.parse(page) as PostJson[]).map(({ id }) => id));
}

const random = randomNumbers(4);
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;

/**
 * Text that collations, encodings and JSON writers treat differently: case, accents, widths, signs, and range limits.
 */
const PIECES = [
  'a A b B ä a\u0308 Ä z Z ß ss ẞ İ ı i I ﬀ Ⅷ ǆ σ ς Σ',
  '\t \n \r \r\n \u00a0 \u3000 \u200b \ufeff \u2028 \u0001 \u001f \u007f \u0085',
  '- _ % * " \' \\ \\u0000 / <b> &amp; $1 :id ? ;-- {} , 0 9 10 =1+1',
  '\ud7ff \ue000 \ufffd \ufffe \uffff \u{10000} 😀 👩‍👩‍👧 \u{10ffff} العربية \u202e 漢字 がカ 한',
]
  .flatMap((line) => line.split(' '))
  .concat(' ', '  ');

function text(pieces: number): string {
  return Array.from({ length: pieces }, () => pick(PIECES)).join('');
}

function title(n: number): string {
  if (n % 50 === 0) return '😀'.repeat(200);
  if (n % 50 === 1) return `${'\u{10ffff}'.repeat(199)}${pick(['a', 'b', '\uffff'])}`;
  const made = text(1 + random(6));
  return made.trim() === '' ? `${made}x` : made;
}

const DATES = [
  '0001-01-01',
  '0001-01-01T00:00:00.000001Z',
  '1969-12-31T23:59:59.999Z',
  '2024-02-29T23:59:59.9999999Z',
  '2026-03-29T02:30:00+01:00',
  '2026-11-20 14:40:00.1Z',
  '2026-11-20T14:40:00.10000Z',
  '9999-12-31T23:59:59.999999Z',
];

function pubDate(): string {
  if (random(3) === 0) return pick(DATES);
  return new Date(Date.UTC(2026, 0, random(3), random(2)))
    .toISOString()
    .replace('000Z', pick(['000Z', '000001Z', '12Z']));
}

const POSTS = 120;
const posts = Array.from({ length: POSTS }, (_, n) => ({
  title: title(n),
  pub_date: pubDate(),
  body: n === 7 ? text(40_000) : text(random(12)),
}));

describe('SQLite and PostgreSQL', () => {
  it('store and return difficult posts unchanged', async () => {
    for (const json of posts) expect((await ask('POST', '/posts/', { json })).status).toBe(201);
    const stored = posts.map((post, n) => ({
      id: n + 1,
      ...post,
      pub_date: formatPubDate(parsePubDate(post.pub_date)!),
    }));
    const responses = await askAll(stored.map(({ id }) => `/posts/${id}/`));
    expect(responses.map((response) => response.json())).toEqual(stored);
    expect((await ask('GET', '/posts/?ordering=id&limit=1000')).json()).toEqual(stored);
  });

  it.each(['pub_date', '-pub_date', 'id', '-id', 'title', '-title'])(
    'respond alike for every page ordered by %s',
    async (key) => {
      const whole = await walk(`/posts/?ordering=${key}&limit=1000&fields=id,title,pub_date`);
      expect(whole).toHaveLength(POSTS);
      expect(await walk(`/posts/?ordering=${key}&limit=23&fields=id`)).toEqual(whole);
      await ask('GET', `/posts/?ordering=${key}&offset=${POSTS - 23}&limit=23`);
      await ask('HEAD', `/posts/?ordering=${key}&offset=${POSTS + 1}`, {
        headers: { Prefer: 'count=exact' },
      });
    },
  );

  it('respond alike for every filter', async () => {
    const counted = { headers: { Prefer: 'count=exact' } };
    const titles = [...new Set(posts.map((post) => post.title))];
    const found = await askAll(
      titles.map((each) => `/posts/?title=${encodeURIComponent(each)}&fields=id`),
      counted,
    );
    expect(found.map(({ headers }) => headers['x-total-count'])).toEqual(
      titles.map((each) => String(posts.filter((post) => post.title === each).length)),
    );
    const dates = [...new Set(posts.map((post) => encodeURIComponent(post.pub_date)))].slice(0, 40);
    await askAll(
      dates.flatMap((date) => [
        `/posts/?pub_date_after=${date}&fields=id,pub_date`,
        `/posts/?pub_date_before=${date}&fields=id,pub_date`,
      ]),
      counted,
    );
    await ask(
      'GET',
      `/posts/?id=${Array.from({ length: POSTS }, (_, n) => 2 * n + 1).join()},9007199254740991`,
      counted,
    );
  });

  it('respond alike for every search', async () => {
    const words = posts
      .flatMap((post) => [post.title, post.body.slice(0, 100)])
      .flatMap((each) => each.split(/\s+/));
    const searches = new Set([...PIECES, ...words, ...PIECES.map((piece) => `${piece} ${pick(PIECES)}`)]);
    const targets = [...searches]
      .filter((each) => each !== '')
      .slice(0, 80)
      .map((each) => `/posts/?search=${encodeURIComponent(each)}&fields=id&ordering=id&limit=1000`);
    const responses = await askAll(targets, { headers: { Prefer: 'count=exact' } });
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
  });

  it('respond alike when posts are replaced and deleted', async () => {
    for (const n of [1, 8, 50, 51, 59]) {
      await ask('PUT', `/posts/${n}/`, { json: posts[n + 60] });
      await ask('PUT', `/posts/${n}/`, { json: posts[n + 60], headers: { 'If-Match': `"${n}-1"` } });
      await ask('DELETE', `/posts/${n + 1}/`);
      await ask('DELETE', `/posts/?id=${n + 1}`);
    }
    // Without a date, the post keeps its own one.
    await ask('PUT', '/posts/3/', { json: { title: 'New', body: '' } });
    await walk('/posts/?ordering=-title&limit=100&fields=id,title');
    await walk('/posts/?search=a&limit=10&fields=id');
    // The id of a deleted post is not used again.
    await ask('DELETE', `/posts/${POSTS}/`);
    const created = await ask('POST', '/posts/', { json: posts[1] });
    expect(created.json()).toMatchObject({ id: POSTS + 1 });
  });

  it.each(['application/x-ndjson', 'text/csv'])('import what they export: %s', async (type) => {
    const list = '/posts/?ordering=id&limit=30';
    const { bytes } = await ask('GET', list, { headers: { Accept: type } });
    const sent = { body: bytes, headers: { 'Content-Type': type, 'Idempotency-Key': type } };
    const result = await ask('POST', '/posts/', sent);
    const { first_id: first } = result.json<{ first_id: number }>();
    const again = await ask('POST', '/posts/', sent);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([result.text, 'true']);
    expect((await ask('POST', '/posts/', { ...sent, body: Buffer.concat([bytes, bytes]) })).status).toBe(422);
    const exported = (await ask('GET', list)).json<PostJson[]>();
    const ids = exported.map((_, index) => first + index);
    const imported = (await ask('GET', `${list}&id=${ids.join()}`)).json<PostJson[]>();
    expect(imported).toEqual(exported.map((post, index) => ({ ...post, id: ids[index] })));
  });

  const wrongCursor = (...key: (string | number)[]): string => {
    const scope = JSON.stringify(['title', {}]);
    return `/posts/?ordering=title&cursor=${encodePageCursor({ scope, direction: 'next', key })}`;
  };

  it.each<[number, string, string, RequestOptions]>([
    [404, 'GET', '/posts/9007199254740991/', {}],
    [404, 'GET', '/posts/9223372036854775808/', {}],
    [404, 'DELETE', '/posts/9007199254740991/', {}],
    [404, 'PUT', '/posts/9007199254740991/', { json: posts[0] }],
    [400, 'GET', '/posts/?id=9223372036854775807', {}],
    [400, 'GET', '/posts/?title=a%00b', {}],
    [400, 'GET', wrongCursor('a\u0000b', 1), {}],
    [400, 'GET', wrongCursor('\ud800', -1), {}],
    [400, 'GET', wrongCursor(7), {}],
    [400, 'GET', wrongCursor('a', '7'), {}],
    [400, 'GET', wrongCursor(7, 7), {}],
    [400, 'GET', wrongCursor('a', 7, 7), {}],
    [200, 'GET', wrongCursor('', -1), {}],
    [200, 'GET', wrongCursor('', Number.MAX_SAFE_INTEGER), {}],
    [400, 'POST', '/posts/', { json: { title: 'a\u0000', body: '\ud800' } }],
  ])('answer %i alike: %s %s', async (status, method, target, options) => {
    expect((await ask(method, target, options)).status).toBe(status);
  });
});
