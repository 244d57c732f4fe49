import type { SlicedText } from '../../http/request/slices.js';
import { slicedJson, slicedRecord } from './list-representations.js';

async function textOf(sliced: SlicedText): Promise<string> {
  let text = '';
  for await (const slice of sliced.slices()) text += slice;
  return text;
}

const body = `"quoted", 😀\r\n${'x'.repeat(300_000)}`;
const post = { id: 7, title: 'A "title"', pubDate: '2026-11-20T14:40:00.000000Z', body };

describe('a post with a large body', () => {
  it.each([[['id', 'body', 'title']], [['body', 'id']], [['id', 'title', 'body']], [['body']]])(
    'is written in slices, with its members in the order %j',
    async (order) => {
      const dto = Object.fromEntries(order.map((name) => [name, post[name as keyof typeof post]]));
      expect(await textOf(slicedJson(dto, '\n'))).toBe(`${JSON.stringify(dto)}\n`);
    },
  );

  it('is written in slices as a record, whatever the order of the columns', async () => {
    const cell = `"${body.replaceAll('"', '""')}"`;
    expect(await textOf(slicedRecord(post, ['id', 'body', 'title']))).toBe(`7,${cell},"A ""title"""\r\n`);
    expect(await textOf(slicedRecord(post, ['id', 'title', 'body']))).toBe(`7,"A ""title""",${cell}\r\n`);
  });
});
