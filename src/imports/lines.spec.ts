import { BodyTooLarge } from '../problem-details/problems.js';
import { linesOf } from './lines.js';

async function* buffersOf(texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function split(
  chunks: readonly string[],
  maxLineBytes = 100,
): Promise<{ lines: string[]; held: number[] }> {
  const held: number[] = [];
  const lines: string[] = [];
  const rules = { maxLineBytes, memory: { hold: (bytes: number) => void held.push(bytes) } };
  for await (const some of linesOf(buffersOf(chunks), rules))
    for (const { number, bytes } of some) lines.push(`${number} ${bytes.toString()}`);
  return { lines, held };
}

describe('linesOf', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['one', ['1 one']],
    ['one\n', ['1 one']],
    ['one\n\ntwo', ['1 one', '2 ', '3 two']],
    ['\n| o|ne\r\n \n', ['1 ', '2  one\r', '3  ']],
    ['o|n|e|\n|t|wo\nthree\n', ['1 one', '2 two', '3 three']],
  ])('splits %j into %j', async (chunks, lines) => {
    expect((await split(chunks.split('|'))).lines).toEqual(lines);
  });

  it('holds the bytes of each line until the next one', async () => {
    expect((await split(['one\nab', 'cd', 'ef\ngh'])).held).toEqual([3, -3, 2, 2, 2, -6, 2, -2]);
  });

  it.each(['abcd\n', 'abc|d', 'ab|cd\n', 'a|b|c|d'])('refuses a line that is too long: %j', async (text) => {
    expect((await split(['abc\n'], 3)).lines).toEqual(['1 abc']);
    await expect(split(text.split('|'), 3)).rejects.toBeInstanceOf(BodyTooLarge);
  });
});
