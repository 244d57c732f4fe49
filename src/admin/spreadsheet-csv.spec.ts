import { spreadsheetRow } from './spreadsheet-csv.js';

describe('spreadsheetRow', () => {
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
    ["'quoted'", "'quoted'"],
  ])('writes %j as text', (cell, written) => {
    expect(spreadsheetRow([cell, 'b'])).toBe(`${written},b\r\n`);
  });
});
