import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
afterAll(() => service.stop());

const NDJSON = { Accept: 'application/x-ndjson' };
const CSV = { Accept: 'text/csv' };
const ATOM = { Accept: 'application/atom+xml' };

const posts = await service.createAll([
  { title: 'Plain', pub_date: '2026-01-01T00:00:00.000Z', body: 'one' },
  { title: 'Comma, "quote"', pub_date: '2026-01-02T00:00:00.123456Z', body: 'a\r\nb\nc\rd' },
  { title: '=1+1 😀', pub_date: '2026-01-03T00:00:00.000Z', body: '' },
  { title: ' é<&>]]> ', pub_date: '2026-01-04T00:00:00.000Z', body: '\u2028 <script>"&amp;\t' },
]);
const newestFirst = posts.toReversed();

/** Parses the posts of an NDJSON body. */
function readLines(text: string): PostJson[] {
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as PostJson);
}

describe('GET /posts/ with Accept: application/x-ndjson', () => {
  it('returns all posts, one per line', async () => {
    const response = await service.get('/posts/', NDJSON);
    expect(response.shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        link: `<${service.baseUrl}/posts/>; rel="first", <${service.baseUrl}/posts/>; rel="alternate"; type="application/atom+xml"`,
        etag: expect.stringMatching(/^"[\da-f]{8}-\d+-x-ndjson"$/),
      },
      body: newestFirst.map((post) => `${JSON.stringify(post)}\n`).join(''),
    });
  });

  it('streams more than a page, in order', async () => {
    const many = await startService();
    const body = Array.from({ length: 1_200 }, (_, index) => `{"title":"${index}","body":""}`).join('\n');
    await many.import(body);
    const lines = readLines((await many.get('/posts/?ordering=id', NDJSON)).text);
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
    const rest = readLines((await many.get('/posts/?ordering=id&offset=700&fields=id', NDJSON)).text);
    expect(rest).toEqual(Array.from({ length: 500 }, (_, index) => ({ id: index + 701 })));
    await many.stop();
  });

  it('returns a page with its links when there is a limit', async () => {
    const response = await service.get('/posts/?limit=3&ordering=id', NDJSON);
    expect(readLines(response.text)).toEqual(posts.slice(0, 3));
    const { next } = parseLinks(response.headers['link']);
    const second = await service.get(next!, NDJSON);
    expect(readLines(second.text)).toEqual(posts.slice(3));
    expect(parseLinks(second.headers['link'])).not.toHaveProperty('next');
  });

  it('continues from a cursor to the end of the list, or back to its start', async () => {
    const { next } = parseLinks((await service.get('/posts/?limit=3&ordering=id')).headers['link']);
    const onward = next!.replace('limit=3&', '');
    expect(readLines((await service.get(onward, NDJSON)).text)).toEqual(posts.slice(3));
    const { prev } = parseLinks((await service.get(next!)).headers['link']);
    const before = prev!.replace('limit=3&', '');
    expect(readLines((await service.get(before, NDJSON)).text)).toEqual(posts.slice(0, 3));
  });

  it('applies filters, fields and Prefer: count=exact', async () => {
    const headers = { ...NDJSON, Prefer: 'count=exact' };
    const response = await service.get('/posts/?pub_date_after=2026-01-03&fields=title,id', headers);
    expect(readLines(response.text)).toEqual(newestFirst.slice(0, 2).map(({ id, title }) => ({ id, title })));
    expect(response.headers).toMatchObject({ 'x-total-count': '2', 'preference-applied': 'count=exact' });
  });

  it('returns an empty body when no post matches', async () => {
    const response = await service.get('/posts/?title=none', NDJSON);
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
  });

  it.each(['gzip', 'br'])('compresses with %s when the client accepts it', async (coding) => {
    const response = await service.get('/posts/', { ...NDJSON, 'Accept-Encoding': coding });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.etag).toMatch(new RegExp(`-${coding}"$`));
    expect(readLines(response.text)).toEqual(newestFirst);
  });

  it('answers HEAD with the same header fields', async () => {
    const headers = { ...NDJSON, Prefer: 'count=exact' };
    const response = await service.request('HEAD', '/posts/', { headers });
    expect(response.shown).toEqual({
      status: 200,
      headers: (await service.get('/posts/', headers)).shown.headers,
    });
  });

  it('answers 304 until any post changes', async () => {
    const statusIf = async (etag: string) =>
      (await service.get('/posts/', { ...NDJSON, 'If-None-Match': etag })).status;
    const etagNow = async () => (await service.get('/posts/', NDJSON)).etag;
    const first = await etagNow();
    expect(await statusIf(first)).toBe(304);
    const post = await service.create();
    expect(await statusIf(first)).toBe(200);
    const second = await etagNow();
    await service.put(post.path, { title: 'Other', body: '' });
    expect(await statusIf(second)).toBe(200);
    const third = await etagNow();
    await service.delete(post.path);
    expect(await statusIf(third)).toBe(200);
  });
});

describe('GET /posts/ with Accept: text/csv', () => {
  it('has a header row and exact cells', async () => {
    const response = await service.get('/posts/?ordering=id', CSV);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    const id = posts.map((post) => post.id);
    expect(response.text).toBe(
      [
        'id,title,pub_date,body',
        `${id[0]},Plain,2026-01-01T00:00:00.000Z,one`,
        `${id[1]},"Comma, ""quote""",2026-01-02T00:00:00.123456Z,"a\r\nb\nc\rd"`,
        `${id[2]},=1+1 😀,2026-01-03T00:00:00.000Z,`,
        `${id[3]}, é<&>]]> ,2026-01-04T00:00:00.000Z,"\u2028 <script>""&amp;\t"`,
        '',
      ].join('\r\n'),
    );
  });

  it('has the requested columns, in the order of a post, and a file name', async () => {
    const { text, headers } = await service.get('/posts/?ordering=id&fields=title,id&limit=1', CSV);
    expect(headers['content-disposition']).toBe('attachment; filename="posts.csv"');
    expect(text).toBe(`id,title\r\n${posts[0]!.id},Plain\r\n`);
  });

  it('keeps a row whose only cell is empty', async () => {
    expect((await service.get(`/posts/?id=${posts[2]!.id}&fields=body`, CSV)).text).toBe('body\r\n""\r\n');
  });

  it('has only a header row when no post matches', async () => {
    expect((await service.get('/posts/?title=none', CSV)).text).toBe('id,title,pub_date,body\r\n');
  });
});

describe('GET /posts/ with Accept: application/atom+xml', () => {
  const UUID = /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  const idsOf = (text: string): string[] => [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id!);

  const updatedOf = (text: string): string[] =>
    [...text.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, time]) => time!);

  it('has the time of the last change for each entry and for the feed', async () => {
    const startedAt = Date.now();
    const [old, future] = await service.createAll([
      { title: 'old', pub_date: '2020-01-01T00:00:00.000Z' },
      { title: 'future', pub_date: '9999-12-31T23:59:59.999Z' },
    ]);
    const pathOf = ({ id }: { id: number }): string => `/posts/${id}/`;
    const path = `/posts/?id=${old!.id},${future!.id}`;
    const before = updatedOf((await service.get(path, ATOM)).text);
    await service.put(pathOf(old!), { title: 'old', body: 'changed' });
    const after = updatedOf((await service.get(path, ATOM)).text);
    for (const times of [before, after]) {
      expect(times[0]).toBe(times.slice(1).toSorted().at(-1));
      for (const time of times) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(time) >= startedAt - 1 && Date.parse(time) <= Date.now()).toBe(true);
      }
    }
    expect(after[1]).toBe(before[1]);
    expect(after[2]! >= before[2]!).toBe(true);
    expect(after[0]).toBe(after[2]);
    for (const post of [old!, future!]) await service.delete(pathOf(post));
  });

  it('returns a feed of the newest posts', async () => {
    const response = await service.get('/posts/?limit=2', ATOM);
    expect(response.headers['content-type']).toBe('application/atom+xml');
    const { next } = parseLinks(response.headers['link']);
    const [feed, first, second] = idsOf(response.text);
    const [newest, firstUpdated, secondUpdated] = updatedOf(response.text);
    expect(newest).toBe(firstUpdated! > secondUpdated! ? firstUpdated : secondUpdated);
    expect(response.text).toBe(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${feed}</id>
  <title>Posts</title>
  <updated>${newest}</updated>
  <author><name>Posts Service</name></author>
  <link rel="self" type="application/atom+xml" href="${service.baseUrl}/posts/?limit=2"/>
  <link rel="next" type="application/atom+xml" href="${next!.replaceAll('&', '&amp;')}"/>
  <link rel="first" type="application/atom+xml" href="${service.baseUrl}/posts/?limit=2"/>
  <link rel="alternate" type="text/html" href="${service.baseUrl}/posts/?limit=2"/>
  <entry>
    <id>${first}</id>
    <title> é&lt;&amp;&gt;]]&gt; </title>
    <published>2026-01-04T00:00:00.000Z</published>
    <updated>${firstUpdated}</updated>
    <link rel="alternate" type="text/html" href="${service.baseUrl}/posts/${posts[3]!.id}/"/>
    <content type="text">\u2028 &lt;script&gt;&quot;&amp;amp;\t</content>
  </entry>
  <entry>
    <id>${second}</id>
    <title>=1+1 😀</title>
    <published>2026-01-03T00:00:00.000Z</published>
    <updated>${secondUpdated}</updated>
    <link rel="alternate" type="text/html" href="${service.baseUrl}/posts/${posts[2]!.id}/"/>
    <content type="text"></content>
  </entry>
</feed>
`);
    for (const id of [feed, first, second]) expect(id).toMatch(UUID);
    expect(new Set([feed, first, second]).size).toBe(3);
  });

  it('has one feed id for all pages of a list, and another id for another list', async () => {
    const first = await service.get('/posts/?limit=2', ATOM);
    const second = await service.get(parseLinks(first.headers['link'])['next']!, ATOM);
    const other = await service.get('/posts/?limit=2&ordering=id', ATOM);
    const [feed] = idsOf(first.text);
    expect([idsOf(second.text)[0] === feed, idsOf(other.text)[0] === feed]).toEqual([true, false]);
    expect(second.text).toContain('<link rel="previous"');
  });

  it('has the same ids for each Host header field', async () => {
    const here = await service.get('/posts/', ATOM);
    const there = await service.get('/posts/', { ...ATOM, Host: 'localhost' });
    expect(there.text).toContain('http://localhost/posts/');
    expect(idsOf(there.text)).toEqual(idsOf(here.text));
  });

  it('keeps carriage returns, and replaces characters that XML forbids', async () => {
    const post = await service.create({ title: 'bell\u0007', body: 'a\u0001b\ufffe\r\n' });
    const { text } = await service.get(`/posts/?id=${post.id}`, ATOM);
    expect(text).toContain('<title>bell\ufffd</title>');
    expect(text).toContain('<content type="text">a\ufffdb\ufffd&#13;\n</content>');
    const { text: plain } = await service.get(`/posts/?id=${posts[1]!.id}`, ATOM);
    expect(plain).toContain('<content type="text">a&#13;\nb\nc&#13;d</content>');
    await service.delete(post.path);
  });

  it('has the required elements when fields or posts are missing', async () => {
    const part = await service.get(`/posts/?id=${posts[0]!.id}&fields=id`, ATOM);
    expect(part.text).toMatch(/<title><\/title>\n {4}<updated>20\d\d-[^<]*<\/updated>/);
    expect(part.text).not.toMatch(/<published>|<content/);
    const none = await service.get('/posts/?title=none', ATOM);
    expect(none.text).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
    expect(none.text).not.toContain('<entry>');
  });
});

describe('GET /posts/ in any representation', () => {
  it('has a different entity tag for each', async () => {
    const tags = await Promise.all(
      [{}, NDJSON, CSV, ATOM].map(async (accept) => (await service.get('/posts/?limit=2', accept)).etag),
    );
    expect(new Set(tags).size).toBe(4);
  });

  it('answers 406 with the available media types', async () => {
    const response = await service.get('/posts/', { Accept: 'image/png' });
    const available = 'application/json, application/x-ndjson, text/csv, application/atom+xml, text/html';
    expect(response.problem).toMatchObject({ status: 406, detail: `Available here: ${available}.` });
  });
});
