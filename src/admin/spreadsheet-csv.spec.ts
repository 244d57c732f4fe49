import { readCsvRecord } from '../imports/csv-records.js';
import { fromSpreadsheetCell, spreadsheetRow } from './spreadsheet-csv.js';

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
    expect(spreadsheetRow([cell, 'b'])).toBe(`${written},b\r\n`);
    const [read] = readCsvRecord(Buffer.from(written), 0x2c);
    expect(fromSpreadsheetCell(read!.toString())).toBe(cell);
  });
});
