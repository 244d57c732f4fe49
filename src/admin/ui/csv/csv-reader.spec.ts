import { array, constantFrom, nat, property, record, string } from 'fast-check';
import { checkProperty } from '../../../../test/support/properties.js';
import { CsvReader, type CsvRow } from './csv-reader.js';

function readAll(pieces: readonly string[], delimiter = ','): CsvRow[] {
  const reader = new CsvReader(delimiter);
  return [...pieces.flatMap((piece) => [...reader.read(piece)]), ...reader.end()];
}

const cellsOf = (rows: readonly CsvRow[]): (readonly string[])[] => rows.map(({ cells }) => cells);

describe('CsvReader', () => {
  it.each([
    ['LF', 'a,b\nc,d\n'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['mixed line breaks', 'a,b\r\nc,d\n'],
    ['no line break at the end', 'a,b\nc,d'],
    ['blank lines', '\n\na,b\r\n\r\nc,d\n\n'],
    ['quotes', '"a","b"\r\n"c","d"\r\n'],
    ['spaces after a quoted cell', '"a" ,"b" \nc,d'],
  ])('reads rows with %s', (_, text) => {
    expect(cellsOf(readAll([text]))).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('keeps the content of a quoted cell: delimiters, doubled quotes, each kind of line break', () => {
    expect(readAll(['"a,""b""\r\n","\n\r"\n" x ",y"z'])).toEqual([
      { line: 1, cells: ['a,"b"\r\n', '\n\r'] },
      { line: 5, cells: [' x ', 'y"z'] },
    ]);
  });

  it('distinguishes an empty quoted cell from a blank line', () => {
    expect(cellsOf(readAll(['""\n\n""\n']))).toEqual([[''], ['']]);
  });

  it('reports the line on which each row begins', () => {
    const rows = readAll(['title,body\r\n"one","1\r\n2\r\n3"\r\n\r\ntwo,"\n"\nthree,\n']);
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, 'title'],
      [2, 'one'],
      [6, 'two'],
      [8, 'three'],
    ]);
  });

  it.each(['\t', ';', '|'])('accepts %j as the delimiter', (delimiter) => {
    expect(cellsOf(readAll([`a${delimiter}"b${delimiter}"${delimiter},\n`], delimiter))).toEqual([
      ['a', `b${delimiter}`, ','],
    ]);
  });

  it('reports a row with an unclosed quote, or with text after a quote', () => {
    expect(readAll(['a,b\n"c"d,e\nf,"g\nh'])).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['c', 'e'], fault: 'text-after-quote' },
      { line: 3, cells: ['f', 'g\nh'], fault: 'unclosed-quote' },
    ]);
  });

  it('reads the same rows however the input is split', async () => {
    const cell = string({ unit: constantFrom('a', '"', ',', '\r', '\n', ' ', 'é', '😀') });
    const written = record({
      rows: array(array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
      lineBreak: constantFrom('\n', '\r\n', '\r'),
      cuts: array(nat(200), { maxLength: 8 }),
    });
    await checkProperty(
      property(written, ({ rows, lineBreak, cuts }) => {
        const text = rows
          .map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join() + lineBreak)
          .join('');
        const ends = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].toSorted(
          (left, right) => left - right,
        );
        const pieces = ends.slice(1).map((end, index) => text.slice(ends[index], end));
        expect(cellsOf(readAll(pieces))).toEqual(rows);
        expect(readAll(pieces)).toEqual(readAll([text]));
      }),
    );
  });
});
