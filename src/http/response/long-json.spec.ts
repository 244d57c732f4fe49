import { LongJson } from './long-json.js';

describe('LongJson', () => {
  it.each(['\u0001', '"', 'é', 'x😀', '\\'])('writes what JSON.stringify writes: %j', async (unit) => {
    const post = { id: 7, title: 'a "long" one', body: unit.repeat(300_000) };
    const long = LongJson.from(post, 'body')!;
    let json = '';
    for await (const chunk of long.chunks()) json += chunk;
    expect(json === JSON.stringify(post)).toBe(true);
    expect(long.heldBytes).toBe(Buffer.byteLength(post.body));
  });
});
