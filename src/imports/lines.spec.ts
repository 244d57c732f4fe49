import { BodyTooLarge } from '../problem-details/problems.js';
import { LineSplitter } from './lines.js';

function split(chunks: readonly string[], maxLineBytes = 100): { lines: string[]; held: number[] } {
  const held: number[] = [];
  const splitter = new LineSplitter({ maxLineBytes, memory: { hold: (bytes) => void held.push(bytes) } });
  const lines = [...chunks.flatMap((chunk) => [...splitter.linesIn(Buffer.from(chunk))]), ...splitter.rest()];
  return { lines: lines.map(({ number, bytes }) => `${number} ${bytes.toString()}`), held };
}

describe('LineSplitter', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['one'], ['1 one']],
    [['one\n'], ['1 one']],
    [['one\n\ntwo'], ['1 one', '2 ', '3 two']],
    [
      ['\n', ' o', 'ne\r\n \n'],
      ['1 ', '2  one\r', '3  '],
    ],
    [
      ['o', 'n', 'e', '\n', 't', 'wo\nthree\n'],
      ['1 one', '2 two', '3 three'],
    ],
  ])('splits %j into %j', (chunks, lines) => {
    expect(split(chunks).lines).toEqual(lines);
  });

  it('reports how many bytes it holds of an incomplete line', () => {
    expect(split(['one\nab', 'cd', 'ef\ngh']).held).toEqual([2, 2, 2, -6, 2, -2]);
  });

  it.each([['abcd\n'], ['abc|d'], ['ab|cd\n'], ['a|b|c|d']])(
    'refuses a line that is too long: %j',
    (text) => {
      expect(split(['abc\n'], 3).lines).toEqual(['1 abc']);
      expect(() => split(text.split('|'), 3)).toThrow(BodyTooLarge);
    },
  );
});
