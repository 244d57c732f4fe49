import { parseFeed } from '@rowanmanning/feed-parser';
import { parse as parseCsv } from 'csv-parse/sync';
import ndjson from 'ndjson';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { importLines, startBuiltService, storePosts } from './support/running-service.js';

interface Post {
  id: number;
  title: string;
  pub_date: string;
  body: string;
}

const AWKWARD: readonly string[] = [
  'a "quoted" word, a comma',
  'a line\r\nand another\n',
  '=1+1',
  ' space around ',
  '<b>bold</b> & ]]>',
  'Ελληνικά עברית 日本語 🦊 é',
  '',
];

let baseUrl: string;
let posts: Post[];

beforeAll(async () => {
  baseUrl = await startBuiltService();
  await storePosts(baseUrl, 150);
  const lines = AWKWARD.map((body) => JSON.stringify({ title: `About ${body}`, body }));
  await importLines(baseUrl, lines.join('\n'));
  posts = (await (await get('application/json', '?limit=1000')).json()) as Post[];
});

function get(accept: string, query = ''): Promise<Response> {
  return fetch(`${baseUrl}/posts/${query}`, { headers: { Accept: accept } });
}

describe('a list of posts', () => {
  it('is read by an Atom reader', async () => {
    const feed = parseFeed(await (await get('application/atom+xml')).text());
    expect(feed.meta).toMatchObject({ type: 'atom', version: '1.0' });
    expect(feed.items).toHaveLength(100);
    const newest = posts.slice(0, 100);
    expect(feed.items.map(({ title }) => title)).toEqual(newest.map(({ title }) => title.trim()));
    expect(feed.items.map(({ published }) => published?.toISOString())).toEqual(
      newest.map(({ pub_date: date }) => date),
    );
    expect(feed.items.map(({ url }) => url)).toEqual(newest.map(({ id }) => `${baseUrl}/posts/${id}/`));
    expect(new Set(feed.items.map(({ id }) => id)).size).toBe(100);
  });

  it('is read by a CSV reader, to the last byte', async () => {
    const csv = await (await get('text/csv')).text();
    const rows = parseCsv<Record<keyof Post, string>>(csv, { columns: true });
    expect(rows.map(({ id, ...row }) => ({ id: Number(id), ...row }))).toEqual(posts);
  });

  it('is read by a streaming NDJSON reader', async () => {
    const { body } = await get('application/x-ndjson');
    const read: Post[] = [];
    for await (const post of Readable.fromWeb(body as ReadableStream).pipe(ndjson.parse()))
      read.push(post as Post);
    expect(read).toEqual(posts);
  });

  it('is imported from the output of an NDJSON writer', async () => {
    const writer = ndjson.stringify();
    for (const { title, body } of posts) writer.write({ title, body });
    writer.end();
    expect(await importLines(baseUrl, await text(writer))).toMatchObject({ created: posts.length });
  });
});
