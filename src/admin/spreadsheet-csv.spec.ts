import * as fc from 'fast-check';
import { aStoredPost } from '../../test/support/posts.js';
import { checkProperty } from '../../test/support/properties.js';
import { readCsvRecord } from '../imports/csv-records.js';
import { atOnce } from '../text/steps.js';
import {
  fromSpreadsheetCell,
  spreadsheetCellParts,
  toSpreadsheetCell,
} from '../imports/spreadsheet-cells.js';
import { csv } from '../posts/formats/list-representations.js';
import type { WrittenPosts } from '../posts/lists/listed-post.js';
import { PostDto } from '../posts/dto/post.dto.js';
import type { Post } from '../posts/post.entity.js';
import { ndjsonWithFingerprint, spreadsheet, spreadsheetWithSemicolons } from './spreadsheet-csv.js';

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
    ['\t=1', "'\t'=1"],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['＝1', "'＝1"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=b', 'a=b'],
    [' =1', ' =1'],
    ["'=1", "''=1"],
    // Spreadsheets of other countries separate cells at other characters, and then quotes do not help.
    [`x;=cmd|' /C calc'!A0;y`, `x;'=cmd|' /C calc'!A0;y`],
    [`x,-2+cmd|' /C calc'!A0`, `"x,'-2+cmd|' /C calc'!A0"`],
    ['x\t＝1', "x\t'＝1"],
    ['x\n@SUM(A1)', `"x\n'@SUM(A1)"`],
    [`x;'=1`, `x;''=1`],
    // No spreadsheet calls anything here.
    ['Well ;-) and so on', 'Well ;-) and so on'],
    ['To do:\n- one\n- two\n@you', `"To do:\n- one\n- two\n@you"`],
  ])('writes %j as text, and reads it again', (cell, written) => {
    const row = rowOf(cell, cell);
    expect(row.slice(0, row.lastIndexOf(','))).toBe(`7,${written},2026-01-02T00:00:00.000Z,${written}`);
    const [read] = atOnce(readCsvRecord(Buffer.from(written), 0x2c));
    expect(atOnce(fromSpreadsheetCell(read!))).toBe(cell);
  });
});

it('writes a row with semicolons in quotes only where it must', () => {
  const json = JSON.stringify({ id: 7, title: 'a;b', pub_date: '2026-01-02T00:00:00.000Z', body: 'c,d' });
  const row = spreadsheetWithSemicolons.items(aPost(json), { fields: undefined });
  expect(row).toMatch(/^7;"a;b";2026-01-02T00:00:00\.000Z;c,d;x[\da-f]{16}\r\n$/);
  expect(spreadsheetWithSemicolons.head({ fields: undefined })).toMatch(
    /^\ufeffid;title;.*;body;export_fingerprint\r\n$/,
  );
});

it('takes back from any cell exactly what it has added', async () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from(`';,\t\n\r=+-@(|!a＝`)), maxLength: 30 });
  await checkProperty(
    fc.property(text, (cell) => {
      expect(atOnce(fromSpreadsheetCell(toSpreadsheetCell(cell)))).toBe(cell);
    }),
  );
});

it('writes the parts of a long cell as it writes the whole', async () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from(`';,\t\n\r=+-@(|!a＝😀`)), maxLength: 40 });
  await checkProperty(
    fc.property(text, fc.integer({ min: 1, max: 12 }), (cell, length) => {
      const parts = [...spreadsheetCellParts(cell, length)];
      expect(parts.join('')).toBe(toSpreadsheetCell(cell));
      expect(parts.every((part) => part.isWellFormed())).toBe(true);
    }),
    1_000,
  );
});

describe.each([
  ['CSV', spreadsheet],
  ['CSV with semicolons', spreadsheetWithSemicolons],
  ['NDJSON', ndjsonWithFingerprint],
])('a large post of an export in %s', (_, format) => {
  it.each(['x', '"', '\u0001', ';=', '\r\n', "'", '😀', 'x😀y'])(
    'is written in pieces that make the same text: %j',
    async (unit) => {
      const post = aStoredPost({ title: ';=a "b"', body: `=${unit.repeat(200_000 / unit.length)}` });
      const pieces: string[] = [];
      for await (const piece of format.pieces(post, { fields: undefined }, '')) pieces.push(piece);
      const whole = format.items(aPost(JSON.stringify(PostDto.from(post))), { fields: undefined });
      expect(pieces.join('') === whole).toBe(true);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(6 * 65_536);
    },
  );
});

describe('null in CSV', () => {
  it.each([
    ['{"id":7,"title":null,"body":"null"}', '7,,null\r\n'],
    // A blank line would not count as a record.
    ['{"title":null}', '""\r\n'],
  ])('is an empty cell: %s', (json, record) => {
    expect(csv.items(aPost(json), { fields: undefined })).toBe(record);
  });

  it.each([
    ['the API', csv],
    ['an export', spreadsheet],
  ])('is an empty cell of a large post, too: %s', async (_, format) => {
    // As a field with `nullable: true`.
    const post = Object.assign(aStoredPost(), { title: null }) as unknown as Post;
    const pieces: string[] = [];
    for await (const piece of format.pieces(post, { fields: undefined }, '')) pieces.push(piece);
    expect(pieces.join('')).toMatch(/^7,,2026-11-20T14:40:00\.000Z,/);
  });
});
