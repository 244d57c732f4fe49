import { jsonLines, piecesOf } from './json-lines.js';

function bytes(...pieces: (string | Uint8Array<ArrayBuffer>)[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      }
      controller.close();
    },
  });
}

const read = (...pieces: Parameters<typeof bytes>) => piecesOf(bytes(...pieces));

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe('jsonLines', () => {
  it('yields a value for each line, wherever the input is cut', async () => {
    const encoded = new TextEncoder().encode('{"a":"😀"}\n\n{"a":2}\r\n{"a":3}');
    for (let cut = 0; cut <= encoded.length; cut++) {
      const values = await all(jsonLines(read(encoded.slice(0, cut), encoded.slice(cut))));
      expect(values).toEqual([{ a: '😀' }, { a: 2 }, { a: 3 }]);
    }
  });

  it('rejects when the stream breaks, or ends within a line', async () => {
    const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new TypeError('The connection broke.')),
    });
    await expect(all(jsonLines(piecesOf(broken)))).rejects.toThrow('The connection broke.');
    await expect(all(jsonLines(read('{"a":1}\n{"a"')))).rejects.toThrow(SyntaxError);
    expect(await all(jsonLines(read()))).toEqual([]);
  });
});

describe('piecesOf', () => {
  it('cancels the stream when the consumer stops', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<number>({
      pull: (controller) => controller.enqueue(1),
      cancel: () => void (isCancelled = true),
    });
    for await (const piece of piecesOf(endless)) {
      expect(piece).toBe(1);
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
