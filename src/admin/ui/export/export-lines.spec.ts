import { CsvReader } from '../csv/csv-reader.js';
import { type ExportFormat, exportPieces } from './export-lines.js';

const POSTS = [
  { id: 1, title: '=1+1', pub_date: '2026-11-20T14:40:00.000Z', body: 'a,"b"\r\nc' },
  { id: 2, title: 'Grüße 😀', pub_date: '2026-11-20T14:40:00.123456Z', body: '' },
];
const NDJSON = POSTS.map((post) => `${JSON.stringify(post)}\n`).join('');

async function exported(
  text: string,
  format: ExportFormat,
  cut = 10,
): Promise<{ text: string; posts: number; pieces: number }> {
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += cut) controller.enqueue(bytes.slice(at, at + cut));
      controller.close();
    },
  });
  const data: BlobPart[] = [];
  let posts = 0;
  for await (const piece of exportPieces(stream, format)) {
    data.push(piece.data);
    posts += piece.posts;
  }
  // Blob.text() would take the byte order mark away.
  return { text: Buffer.from(await new Blob(data).arrayBuffer()).toString(), posts, pieces: data.length };
}

describe('exportPieces', () => {
  it('passes NDJSON through unchanged, and counts the posts', async () => {
    expect(await exported(NDJSON, 'ndjson')).toMatchObject({ text: NDJSON, posts: 2 });
  });

  it('writes CSV with a byte order mark, a header, and neutralised formulas', async () => {
    const { text, posts } = await exported(NDJSON, 'csv');
    expect(posts).toBe(2);
    expect(text.startsWith('\ufeffid,title,pub_date,body\r\n')).toBe(true);
    expect([...new CsvReader(',').read(text.slice(1))].map(({ cells }) => cells)).toEqual([
      ['id', 'title', 'pub_date', 'body'],
      ['1', "'=1+1", '2026-11-20T14:40:00.000Z', 'a,"b"\r\nc'],
      ['2', 'Grüße 😀', '2026-11-20T14:40:00.123456Z', ''],
    ]);
  });

  it('writes rows in batches, each row once', async () => {
    const { text, posts, pieces } = await exported(NDJSON.repeat(10_000), 'csv', 65_536);
    expect(posts).toBe(20_000);
    expect(text.split('\n1,').length - 1).toBe(10_000);
    expect(pieces).toBeLessThan(20);
  });

  it('writes only the CSV header when there are no posts', async () => {
    expect(await exported('', 'csv')).toEqual({
      text: '\ufeffid,title,pub_date,body\r\n',
      posts: 0,
      pieces: 1,
    });
    expect(await exported('', 'ndjson')).toEqual({ text: '', posts: 0, pieces: 0 });
  });
});
