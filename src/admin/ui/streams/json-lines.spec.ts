import { jsonLines } from './json-lines.js';

/** The values of the lines of a text that arrives in these pieces. */
async function valuesOf(...pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const values: unknown[] = [];
  for await (const value of jsonLines(stream)) values.push(value);
  return values;
}

const encode = (text: string) => new TextEncoder().encode(text);

describe('jsonLines', () => {
  it('yields a value for each line, wherever the input is cut', async () => {
    const encoded = encode('{"a":"😀"}\n\n{"a":2}\r\n{"a":3}');
    for (let cut = 0; cut <= encoded.length; cut++) {
      const values = await valuesOf(encoded.slice(0, cut), encoded.slice(cut));
      expect(values).toEqual([{ a: '😀' }, { a: 2 }, { a: 3 }]);
    }
  });

  it('rejects when the input ends within a line', async () => {
    await expect(valuesOf(encode('{"a":1}\n{"a"'))).rejects.toThrow(SyntaxError);
    expect(await valuesOf()).toEqual([]);
  });
});
