import { jest } from '@jest/globals';
import { BodyQuotas, BodyShare } from '../http/bodies/body-quotas.js';
import { BodyTooLarge, TooBusy } from '../problem-details/problems.js';
import { stepsOf } from '../../test/support/steps.js';
import { PIECE_LENGTH } from '../text/steps.js';
import { readCsvRecord } from './csv-records.js';
import { fromSpreadsheetCell } from './spreadsheet-cells.js';
import { CsvFormat, type ImportFormat, ndjson } from './import-formats.js';
import { type FileFault, type PostLine, readPosts } from './import-lines.js';
import type { LineRules } from './lines.js';

const MIB = 1_048_576;

async function* inChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    yield bytes.subarray(start, start + chunkBytes);
  }
}

interface Options extends LineRules {
  readonly chunkBytes?: number;
  readonly format?: ImportFormat;
}

async function read(
  text: string | Buffer,
  { chunkBytes = 65_536, format = ndjson, ...limits }: Options = {},
): Promise<{ posts: PostLine[]; faults: FileFault[] }> {
  const posts: PostLine[] = [];
  const faults: FileFault[] = [];
  const chunks = inChunks(Buffer.from(text), chunkBytes);
  for await (const post of readPosts(
    chunks,
    format,
    { isFile: false, client: '', maxLineBytes: MIB, ...limits },
    faults,
  ))
    posts.push(post);
  return { posts, faults };
}

describe('readPosts', () => {
  it('holds a long line only while it is read', async () => {
    const quotas = new BodyQuotas(MIB);
    const memory = new BodyShare('a', quotas, true);
    const long = `{"title":"long","body":"${'x'.repeat(500_000)}"}\n`;
    // More than one client may hold.
    expect((await read(long.repeat(50), { memory })).posts).toHaveLength(50);
    expect(quotas.bytes.held).toBe(0);

    for (const other of ['b', 'c', 'd', 'e']) new BodyShare(other, quotas, false).hold(16 * MIB + 65_536);
    await expect(read(long, { memory })).rejects.toBeInstanceOf(TooBusy);
  });
});

describe('imports at the same time', () => {
  it('take turns', async () => {
    const ended: string[] = [];
    const run = async (name: string, lines: number): Promise<void> => {
      await read('{"title":"a","body":""}\n'.repeat(lines));
      ended.push(name);
    };
    await Promise.all([run('long', 20_000), run('short', 2_000)]);
    expect(ended).toEqual(['short', 'long']);
  });
});

const readCsv = (text: string | Buffer, options: Options = {}) =>
  read(text, { ...options, format: new CsvFormat() });

const placeOf = (fault: FileFault): string => `${fault.line} ${String(Reflect.get(fault, 'pointer'))}`;

/** For each record, by its line: `title|body`, or its faults as `line pointer`. */
async function outcomeOf(text: string | Buffer, chunkBytes = 65_536): Promise<string[]> {
  const { posts, faults } = await readCsv(text, { chunkBytes });
  const outcome = posts.map(({ place, post }) => ({ line: place.number, texts: [post.title, post.body] }));
  for (const line of new Set(faults.map((fault) => fault.line)))
    outcome.push({ line, texts: faults.filter((fault) => fault.line === line).map(placeOf) });
  return outcome.toSorted((a, b) => a.line - b.line).map(({ texts }) => texts.join('|'));
}

describe('an import as CSV', () => {
  it.each<[string, string, string[]]>([
    ['an empty body', '', []],
    ['CRLF', 'title,body\r\na,b\r\nc,d\r\n', ['a|b', 'c|d']],
    ['a carriage return at the end', 'title,body\r\na,b\r', ['a|b']],
    ['a byte order mark before a quote', '\ufeff"title","body"\r\na,b', ['a|b']],
    ['characters that begin like a byte order mark', 'title,body\n\ufec0,\ufeff', ['\ufec0|\ufeff']],
    ['columns in another order, and an id', 'body,id,title\nb,x,a', ['a|b']],
    ['empty dates and bodies', 'title,pub_date,body\na,,\nc,"",""', ['a|', 'c|']],
    ['blank lines', '\n \t\r\ntitle,body\n\n\r\na,b\n \n', ['a|b']],
    ['doubled quotes', 'title,body\n"a ""b""",""""\n"""""",c', ['a "b"|"', '""|c']],
    ['commas and line ends in quotes', 'title,body\r\n"a,b","c\r\nd\n,\r"\r\n', ['a,b|c\r\nd\n,\r']],
    [
      'rows with too many or too few cells',
      'title,body\na,b,c\nd\n"e\n\nf",g\n,,\nh,i',
      ['2 ', '3 ', 'e\n\nf|g', '7 ', 'h|i'],
    ],
    [
      'stray quotes and carriage returns',
      'title,body\na"b,c\nd,"e"f"\n"g" ,h\ni,j\rk\n"l"\rm,n\no,p',
      ['2 /title', '3 /body', '4 /title', '5 /body', '6 /title', 'o|p'],
    ],
    ['a quote that is never closed', 'title,body\n"a\n",b\nc,"d\n\ne,f\n', ['a\n|b', '4 /body']],
    [
      'values that break the rules of a post',
      'title,body,pub_date\n" ",b,\na,"\0",2026-02-30\nc,d,2026-01-02',
      ['2 /title', '3 /pub_date|3 /body', 'c|d'],
    ],
  ])('reads %s in chunks of any size', async (_, text, expected) => {
    const bytes = Buffer.from(text);
    for (let chunkBytes = 1; chunkBytes <= bytes.length + 1; chunkBytes += 1)
      expect([chunkBytes, await outcomeOf(bytes, chunkBytes)]).toEqual([chunkBytes, expected]);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = Buffer.from('title,body\na,\xff\nb,c', 'latin1');
    expect(await outcomeOf(bytes)).toEqual(['2 ', 'b|c']);
  });

  it.each<[string, string, string[]]>([
    ['several unknown columns', '\nTitle, body,body,title,\n', ['2 /Title', '2 / body', '2 /']],
    ['a column twice', 'title,body,title\na,b,c', ['1 /title']],
    ['no title and no body', 'id\n1', ['1 /title', '1 /body']],
    ['a name that is not UTF-8', '\xff', ['1 ']],
    ['a long name', `title,body,${'é'.repeat(1_000)}`, [`1 /${'é'.repeat(99)}…`]],
    ['more columns than a record may have', `title,body${',x'.repeat(16_383)}`, ['1 ']],
  ])('is refused for its header: %s', async (name, text, places) => {
    const bytes = Buffer.from(text, name.includes('UTF-8') ? 'latin1' : 'utf8');
    const { posts, faults } = await readCsv(bytes);
    expect([posts, faults.map(placeOf)]).toEqual([[], places]);
  });

  it('reads a large record that arrives in many chunks', async () => {
    for (const unit of ['"', 'a"', '""é"', '😀"\n', 'é,😀']) {
      const body = unit.repeat(Math.ceil(MIB / unit.length));
      const text = `title,body\nx,"${body.replaceAll('"', '""')}"\ny,z\n`;
      const { posts } = await readCsv(text, { maxLineBytes: 8 * MIB });
      expect(posts.map(({ post }) => post.title)).toEqual(['x', 'y']);
      expect(posts[0]!.post.body === body).toBe(true);
    }
  });

  it('applies the limit to each record, and holds memory for one at a time', async () => {
    const quotas = new BodyQuotas(MIB);
    const memory = new BodyShare('a', quotas, true);
    const record = `x,"${'y\n'.repeat(250_000)}"\n`;
    const limits = { maxLineBytes: record.length - 1, memory };
    expect((await readCsv(`title,body\n${record.repeat(50)}`, limits)).posts).toHaveLength(50);
    expect(quotas.bytes.held).toBe(0);
    const shorter = { maxLineBytes: record.length - 2 };
    await expect(readCsv(`title,body\n${record}`, shorter)).rejects.toBeInstanceOf(BodyTooLarge);
    // The limit applies to an unclosed quote, too.
    await expect(readCsv(`title,body\n"${'y\n'.repeat(MIB)}`, shorter)).rejects.toBeInstanceOf(BodyTooLarge);
  });

  it('ends after a hundred faults', async () => {
    const { posts, faults } = await readCsv(`title,body\n${'x\n'.repeat(100)}a,b\n`);
    expect([posts.length, faults.length]).toEqual([0, 100]);
  });
});

it.each(['x', '""', 'é', '"",€""', '\n', 'x""😀'])('reads a long cell of %j in steps', (unit) => {
  for (const before of ['', 'x', '""']) {
    const text = before + unit.repeat(Math.floor(300_000 / unit.length));
    const record = Buffer.from(`t,"${text}"`);
    const { steps, result } = stepsOf(readCsvRecord(record, 0x2c));
    expect(result.map((cell) => cell === text.replaceAll('""', '"') || cell)).toEqual(['t', true]);
    expect(steps).toBeGreaterThan(record.length / PIECE_LENGTH);
  }
});

it('reads a cell of an export that has many formulas in steps', () => {
  const { steps, result } = stepsOf(fromSpreadsheetCell(";'=x".repeat(100_000)));
  expect(result === ';=x'.repeat(100_000)).toBe(true);
  expect(steps).toBeGreaterThan(400_000 / PIECE_LENGTH - 1);
});

it('reads a long line of blanks in steps', async () => {
  const every = jest.spyOn(Uint8Array.prototype, 'every');
  const blanks = ' '.repeat(300_000);
  const { posts, faults } = await read(`${blanks}\n${blanks}{"title":"a","body":""}\n`);
  expect([posts.length, faults.length]).toEqual([1, 0]);
  const lengths = every.mock.contexts.map((bytes) => (bytes as Uint8Array).length);
  expect(Math.max(...lengths)).toBe(PIECE_LENGTH);
  every.mockRestore();
});
