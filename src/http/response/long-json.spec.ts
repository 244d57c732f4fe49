import { LongJson } from './long-json.js';

async function read({ start, text }: LongJson): Promise<string> {
  let json = '';
  for await (const chunk of new LongJson(start, text).chunks()) json += chunk;
  return json;
}

describe('LongJson', () => {
  it.each(['\u0001', '"', 'é', '😀', '\\', 'a\r\n'])(
    'writes what JSON.stringify writes: %j',
    async (unit) => {
      const post = { id: 7, title: 'a "long" one', body: unit.repeat(300_000) };
      const long = LongJson.from(post, 'body')!;
      expect((await read(long)) === JSON.stringify(post)).toBe(true);
      expect(long.heldBytes).toBe(Buffer.byteLength(post.body));
    },
  );
});
