import { LongTextJson } from './long-text.js';

async function textOf(json: LongTextJson | undefined): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of json!.chunks('')) pieces.push(piece);
  return pieces.join('');
}

const LONG = `"\\\n\u0001😀${'"'.repeat(100_000)}`;

describe('LongTextJson', () => {
  it.each<[string, object]>([
    ['a text that ends it', { id: 7, title: 'a "body":"" \n', body: LONG }],
    ['nothing else', { body: LONG }],
  ])('writes an object with %s as JSON.stringify does, also after it was stored', async (_, object) => {
    const json = LongTextJson.of(object)!;
    const expected = JSON.stringify(object);
    expect((await textOf(json)) === expected).toBe(true);
    expect(json.toStored().length).toBeLessThan(LONG.length + 100);
    expect((await textOf(LongTextJson.fromStored(json.toStored()))) === expected).toBe(true);
  });

  it.each<[string, object]>([
    ['whose last field is short', { body: 'x'.repeat(65_536) }],
    ['whose long field is not the last', { body: LONG, id: 7 }],
    ['without fields', {}],
    ['that is an array', [1]],
  ])('leaves alone an object %s', (_, object) => {
    expect(LongTextJson.of(object)).toBeUndefined();
    expect(LongTextJson.fromStored(JSON.stringify(object))).toBeUndefined();
  });
});
