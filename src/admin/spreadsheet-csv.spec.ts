import { readCsvRecord } from '../imports/csv-records.js';
import { fromSpreadsheetCell, spreadsheet } from './spreadsheet-csv.js';

const rowOf = (post: { title: string; body: string }) =>
  spreadsheet.post(post, { fields: ['title', 'body'] });

describe('a row of CSV for spreadsheets', () => {
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
    ['a=b', 'a=b'],
    [' =1', ' =1'],
    ["'=1", "''=1"],
  ])('writes %j as text, and reads it again', (cell, written) => {
    expect([...rowOf({ title: cell, body: 'b' })].join('')).toBe(`${written},b\r\n`);
    const [read] = readCsvRecord(Buffer.from(written), 0x2c);
    expect(fromSpreadsheetCell(read!.toString())).toBe(cell);
  });

  it('writes a large body in slices', () => {
    const row = [...rowOf({ title: 't', body: `=${'"'.repeat(1_000_000)}` })];
    expect(row.length).toBeGreaterThan(10);
    expect(row.join('')).toBe(`t,"'=${'"'.repeat(2_000_000)}"\r\n`);
  });
});
