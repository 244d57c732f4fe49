import { LIST_TYPES, linkToFeed } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const NDJSON = { Accept: 'application/x-ndjson' };
const CSV = { Accept: 'text/csv' };

const posts = await service.createAll([
  { title: 'Plain', pub_date: '2026-01-01T00:00:00.000Z', body: 'one' },
  { title: 'Comma, "quote"', pub_date: '2026-01-02T00:00:00.123456Z', body: 'a\r\nb\nc\rd' },
  { title: '=1+1 😀', pub_date: '2026-01-03T00:00:00.000Z', body: '' },
  { title: ' é<&>]]> ', pub_date: '2026-01-04T00:00:00.000Z', body: '\u2028 <script>"&amp;\t' },
]);
const newestFirst = posts.toReversed();
const ids = posts.map(({ id }) => id);

const toLines = (some: readonly object[]) => some.map((post) => `${JSON.stringify(post)}\n`).join('');
const textOf = async (target: string, headers: Record<string, string>) =>
  (await service.get(target, headers)).text;

describe('GET /posts/ with Accept: application/x-ndjson', () => {
  it('returns all posts, one per line, also when they are compressed', async () => {
    const response = await service.get('/posts/', NDJSON);
    const list = `${service.baseUrl}/posts/`;
    expect(response.shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        link: `<${list}>; rel="first"${linkToFeed(list)}`,
        etag: expect.stringMatching(/^"[\da-f]{8}-\d+-x-ndjson"$/),
      },
      body: toLines(newestFirst),
    });
    const unchanged = { ...NDJSON, 'If-None-Match': response.etag };
    expect((await service.get('/posts/', unchanged)).status).toBe(304);
    for (const coding of ['gzip', 'br']) {
      const { headers, etag, text } = await service.get('/posts/', { ...NDJSON, 'Accept-Encoding': coding });
      expect(headers['content-encoding']).toBe(coding);
      expect(etag).toBe(response.etag.replace(/"$/, `-${coding}"`));
      expect(text).toBe(response.text);
    }
  });

  it('returns a page with its links when there is a limit, and continues from a cursor without one', async () => {
    const response = await service.get('/posts/?limit=3&ordering=id', NDJSON);
    expect(response.text).toBe(toLines(posts.slice(0, 3)));
    const next = response.links['next']!;
    const second = await service.get(next, NDJSON);
    expect(second.text).toBe(toLines(posts.slice(3)));
    const links = second.links;
    expect(links).not.toHaveProperty('next');
    const withoutLimit = (link: string) => link.replace('limit=3&', '');
    expect(await textOf(withoutLimit(next), NDJSON)).toBe(toLines(posts.slice(3)));
    expect(await textOf(withoutLimit(links['prev']!), NDJSON)).toBe(toLines(posts.slice(0, 3)));
  });

  it('applies filters, fields and Prefer: count=exact, and answers HEAD with the same header fields', async () => {
    const headers = { ...NDJSON, Prefer: 'count=exact' };
    const target = '/posts/?pub_date_after=2026-01-03&fields=title,id';
    const response = await service.get(target, headers);
    expect(response.text).toBe(toLines(newestFirst.slice(0, 2).map(({ id, title }) => ({ id, title }))));
    expect(response.headers).toMatchObject({ 'x-total-count': '2', 'preference-applied': 'count=exact' });
    const head = await service.request('HEAD', target, { headers });
    expect(head.shown.headers).toEqual(response.shown.headers);
  });
});

describe('GET /posts/ with Accept: text/csv', () => {
  it('has a header row and exact cells', async () => {
    const response = await service.get('/posts/?ordering=id', CSV);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.text).toBe(
      [
        'id,title,pub_date,body',
        `${ids[0]},Plain,2026-01-01T00:00:00.000Z,one`,
        `${ids[1]},"Comma, ""quote""",2026-01-02T00:00:00.123456Z,"a\r\nb\nc\rd"`,
        `${ids[2]},=1+1 😀,2026-01-03T00:00:00.000Z,`,
        `${ids[3]}, é<&>]]> ,2026-01-04T00:00:00.000Z,"\u2028 <script>""&amp;\t"`,
        '',
      ].join('\r\n'),
    );
  });

  it('has the requested columns, and a file name, and keeps a row whose only cell is empty', async () => {
    const { text, headers } = await service.get('/posts/?ordering=id&fields=title,id&limit=1', CSV);
    expect(headers['content-disposition']).toBe('attachment; filename="posts.csv"');
    expect(text).toBe(`id,title\r\n${ids[0]},Plain\r\n`);
    expect(await textOf(`/posts/?id=${ids[2]}&fields=body`, CSV)).toBe('body\r\n""\r\n');
  });
});

describe('GET /posts/ in any representation', () => {
  it('has a different entity tag for each', async () => {
    const tags = await Promise.all(
      LIST_TYPES.map(async (type) => (await service.get('/posts/?limit=2', { Accept: type })).etag),
    );
    expect(new Set(tags).size).toBe(LIST_TYPES.length);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['nothing', NDJSON, /^$/],
    ['only a header row', CSV, /^id,title,pub_date,body\r\n$/],
  ])('has %s when no post matches', async (_, headers, text) => {
    expect(await textOf('/posts/?title=none', headers)).toMatch(text);
  });
});
