import { constantFrom, property, string } from 'fast-check';
import { checkProperty } from '../../../../test/support/properties.js';
import { CsvReader } from './csv-reader.js';
import { csvRow, neutralised, withoutApostrophe } from './csv-row.js';

describe('csvRow', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1', "'＝1"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ])('writes %j as text', (cell, written) => {
    expect(csvRow([cell, 'b'])).toBe(`${written},b\r\n`);
  });

  it.each(['', 'a=b', '1-2', "'quoted'", ' =1', 'a, "b"\r\n'])('leaves %j as it is', (cell) => {
    const rows = [...new CsvReader(',').read(csvRow([cell, 'b']))];
    expect(rows[0]!.cells).toEqual([cell, 'b']);
  });

  it('does not write a row with one empty cell as a blank line', () => {
    expect([...new CsvReader(',').read(csvRow(['']))]).toEqual([{ line: 1, cells: [''] }]);
  });
});

describe('withoutApostrophe', () => {
  it('is the inverse of neutralised', async () => {
    const text = string({ unit: constantFrom("'", '=', '-', '\t', 'a', '\n') });
    await checkProperty(
      property(
        // Text that began with an apostrophe and a formula cannot be distinguished from a neutralised formula.
        text.filter((each) => withoutApostrophe(each) === each),
        (each) => {
          expect(withoutApostrophe(neutralised(each))).toBe(each);
        },
      ),
    );
  });
});
