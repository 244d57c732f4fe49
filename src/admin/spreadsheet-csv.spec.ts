import { readCsvRecord } from '../imports/csv-records.js';
import { fromSpreadsheetCell } from '../imports/spreadsheet-cells.js';
import { csv } from '../posts/formats/list-representations.js';
import type { WrittenPosts } from '../posts/lists/listed-post.js';
import { spreadsheet } from './spreadsheet-csv.js';

function aPost(json: string): WrittenPosts {
  return { posts: [{ id: 7, version: 1, modified: '', bodyBytes: 0, sortKey: [] }], items: json };
}

function rowOf(title: string, body: string): string {
  const json = JSON.stringify({ id: 7, title, pub_date: '2026-01-02T00:00:00.000Z', body });
  return spreadsheet.items(aPost(json), { fields: undefined });
}

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
    const row = rowOf(cell, cell);
    expect(row.slice(0, row.lastIndexOf(','))).toBe(`7,${written},2026-01-02T00:00:00.000Z,${written}`);
    const [read] = readCsvRecord(Buffer.from(written), 0x2c);
    expect(fromSpreadsheetCell(read!)).toBe(cell);
  });
});

describe('null in CSV', () => {
  it.each([
    ['{"id":7,"title":null,"body":"null"}', '7,,null\r\n'],
    // A blank line would not count as a record.
    ['{"title":null}', '""\r\n'],
  ])('is an empty cell: %s', (json, record) => {
    expect(csv.items(aPost(json), { fields: undefined })).toBe(record);
  });
});
