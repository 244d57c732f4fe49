import { startService } from '../support/service.js';

const service = await startService();

const ATOM = { Accept: 'application/atom+xml' };

const posts = await service.createAll([
  { title: 'Plain', pub_date: '2026-01-01T00:00:00.000Z', body: 'one' },
  { title: '=1+1 😀', pub_date: '2026-01-03T00:00:00.000Z', body: '' },
  { title: ' é<&>]]> ', pub_date: '2026-01-04T00:00:00.000Z', body: '\u2028 <script>"&amp;\t' },
]);
const ids = posts.map(({ id }) => id);

const textOf = async (target: string, headers: Record<string, string>) =>
  (await service.get(target, headers)).text;

describe('GET /posts/ with Accept: application/atom+xml', () => {
  const UUID = /^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
  const idsOf = (text: string): string[] => [...text.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id!);

  // src/posts/formats/atom.spec.ts has all characters.
  it('returns a feed of the newest posts', async () => {
    const target = `${service.baseUrl}/posts/?limit=2`;
    const response = await service.get(target, ATOM);
    expect(response.headers['content-type']).toBe('application/atom+xml');
    const { next } = response.links;
    const [feed, first, second] = idsOf(response.text);
    expect(response.text.replaceAll(/<updated>[\d:.TZ-]{24}</g, '<updated><')).toBe(
      `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${feed}</id>
  <title>Posts</title>
  <updated></updated>
  <author><name>Posts Service</name></author>
  <link rel="self" type="application/atom+xml" href="${target}"/>
  <link rel="next" type="application/atom+xml" href="${next!.replaceAll('&', '&amp;')}"/>
  <link rel="first" type="application/atom+xml" href="${target}"/>
  <link rel="alternate" type="text/html" href="${target}"/>
  <entry>
    <id>${first}</id>
    <title> é&lt;&amp;&gt;]]&gt; </title>
    <published>2026-01-04T00:00:00.000Z</published>
    <updated></updated>
    <link rel="alternate" type="text/html" href="${service.baseUrl}/posts/${ids[2]}/"/>
    <content type="text">\u2028 &lt;script&gt;&quot;&amp;amp;\t</content>
  </entry>
  <entry>
    <id>${second}</id>
    <title>=1+1 😀</title>
    <published>2026-01-03T00:00:00.000Z</published>
    <updated></updated>
    <link rel="alternate" type="text/html" href="${service.baseUrl}/posts/${ids[1]}/"/>
    <content type="text"></content>
  </entry>
</feed>
`,
    );
    for (const id of [feed, first, second]) expect(id).toMatch(UUID);
    expect(new Set([feed, first, second]).size).toBe(3);
  });

  it('has one feed id for all pages of a list and every host, and another id for another list', async () => {
    const first = await service.get('/posts/?limit=2', ATOM);
    const second = await textOf(first.links['next']!, ATOM);
    const other = await textOf('/posts/?limit=2&ordering=id', ATOM);
    const there = await textOf('/posts/?limit=2', { ...ATOM, Host: 'localhost' });
    expect(there).toContain('http://localhost/posts/');
    expect((await service.get('/posts/')).links['alternate']).toBe(`${service.baseUrl}/posts/`);
    expect(idsOf(there)).toEqual(idsOf(first.text));
    const [feed] = idsOf(first.text);
    expect([idsOf(second)[0] === feed, idsOf(other)[0] === feed]).toEqual([true, false]);
    expect(second).toContain('<link rel="previous"');
  });

  it('has no entries, and a date, when no post matches', async () => {
    const none = await textOf('/posts/?title=none', ATOM);
    expect(none).toMatch(/<updated>1970-01-01T00:00:00.000Z<\/updated>(?!.*<entry>)/s);
  });

  it('has the required elements when fields are missing', async () => {
    const part = await textOf(`/posts/?id=${ids[0]}&fields=id`, ATOM);
    expect(part).toMatch(/<title><\/title>\n {4}<updated>20\d\d-[^<]*<\/updated>/);
    expect(part).not.toMatch(/<published>|<content/);
  });

  it('is told to readers of RSS', async () => {
    const accept = 'application/rss+xml';
    const { problem } = await service.get('/posts/', { Accept: accept });
    expect(problem).toMatchObject({ status: 406, errors: [{ code: 'not_acceptable', header: 'Accept' }] });
    expect(problem.detail).toMatch(/In place of application\/rss\+xml, ask for application\/atom\+xml\.$/);
    const ofPost = await service.get(`/posts/${ids[0]}/`, { Accept: accept });
    expect(ofPost.problem.detail).not.toContain('atom');
  });

  it('has a long body escaped, and one of more than 4 MiB by its link only', async () => {
    const escaped = '"\\\n\u0001&<é😀'.repeat(40_000);
    const [long, huge] = await service.createAll([{ body: escaped }, { body: 'x'.repeat(4_194_305) }]);
    const references = escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const text = await textOf(`/posts/?id=${long!.id}`, ATOM);
    const content = `<content type="text">${references.replaceAll('\u0001', '\ufffd')}</content>`;
    expect(text.includes(content)).toBe(true);
    for (const fields of ['', '&fields=title,body', '&fields=body']) {
      const entry = await textOf(`/posts/?id=${huge!.id}${fields}`, ATOM);
      const found = [entry.includes('<content'), entry.includes(`/posts/${huge!.id}/"/>\n  </entry>`)];
      expect([fields, ...found]).toEqual([fields, false, true]);
    }
  });
});

describe('the times of an Atom feed', () => {
  it('are those of the last change, of each entry and of the feed', async () => {
    const startedAt = new Date(Date.now() - 1).toISOString();
    const old = await service.create({ pub_date: '2020-01-01T00:00:00.000Z' });
    const future = await service.create({ pub_date: '9999-12-31T23:59:59.999Z' });
    await service.put(old.path, { title: 'Changed', body: '' });
    const { text } = await service.get(`/posts/?id=${old.id},${future.id}`, ATOM);
    const [feed, ofFuture, ofOld, ...others] = text.match(/(?<=<updated>).*?(?=<\/updated>)/g)!;
    expect([feed, others]).toEqual([ofOld, []]);
    expect([startedAt <= ofFuture!, ofFuture! <= ofOld!, ofOld! <= new Date().toISOString()]).not.toContain(
      false,
    );
  });
});
