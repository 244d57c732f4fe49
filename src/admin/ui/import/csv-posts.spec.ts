import { type Encoding, guessFormat, sampleRows, WrongEncoding } from './csv-file.js';
import { type CsvImport, csvToPostLines, serviceFaults } from './csv-posts.js';

const OPTIONS: CsvImport = {
  encoding: 'utf-8',
  delimiter: ',',
  hasHeader: true,
  mapping: { title: 0, pub_date: 1, body: 2 },
  undoesApostrophes: false,
  dates: { order: 'dmy', zone: 'UTC' },
};

async function convert(
  text: BlobPart,
  options: Partial<CsvImport> = {},
): Promise<{ posts: unknown[]; faults: unknown; lines: number[] }> {
  const { body, count, faults, lineOf } = await csvToPostLines(new Blob([text]), { ...OPTIONS, ...options });
  const lines = (await body.text()).split('\n').slice(0, -1);
  expect(lines).toHaveLength(count);
  return {
    posts: lines.map((line) => JSON.parse(line) as unknown),
    faults,
    lines: lines.map((_, index) => lineOf(index + 1)),
  };
}

describe('csvToPostLines', () => {
  it('converts each row to a post with its line number', async () => {
    const csv = '\ufefftitle,pub_date,body\r\nOne,2026-01-02,"a\r\nb"\r\n\r\n Two ,,\r\nThree,,\r\n';
    expect(await convert(csv)).toEqual({
      posts: [
        { title: 'One', pub_date: '2026-01-02T00:00:00Z', body: 'a\r\nb' },
        { title: ' Two ', body: '' },
        { title: 'Three', body: '' },
      ],
      faults: [],
      lines: [2, 5, 6],
    });
  });

  it('reads columns in any order, without a header, and ignores unmapped ones', async () => {
    const options = { hasHeader: false, delimiter: ';', mapping: { title: 2, body: 0 } } as const;
    expect((await convert('text;7;One\ntext 2;8;Two', options)).posts).toEqual([
      { title: 'One', body: 'text' },
      { title: 'Two', body: 'text 2' },
    ]);
  });

  it('keeps apostrophes, or on request removes those before formulas', async () => {
    const csv = "title,pub_date,body\n'=1+1,,'quoted'\n";
    expect((await convert(csv)).posts).toEqual([{ title: "'=1+1", body: "'quoted'" }]);
    expect((await convert(csv, { undoesApostrophes: true })).posts).toEqual([
      { title: '=1+1', body: "'quoted'" },
    ]);
  });

  it('reports up to a thousand malformed rows, and reads the others', async () => {
    const csv = 'a,b,c\n"1"x,,\n1,,3,4\n1,31.12.2026,3,,\n1,2026-02-30,3\n1,2\n"1';
    expect(await convert(csv)).toMatchObject({
      faults: [
        { line: 2, reason: 'text-after-quote' },
        { line: 3, reason: { cells: 4, expected: 3 } },
        { line: 5, field: 'pub_date', reason: { date: '2026-02-30' } },
        { line: 6, reason: { cells: 2, expected: 3 } },
        { line: 7, reason: 'unclosed-quote' },
      ],
      posts: [
        { title: '1', pub_date: '2026-12-31T00:00:00Z', body: '3' },
        { title: '1', body: '3' },
      ],
    });
    expect((await convert(`a,b,c\n${'1,2,3,4\n'.repeat(1_500)}`)).faults).toHaveLength(1_000);
  });

  it('reads a file that is larger than one piece', async () => {
    const row = (index: number): string => `Post ${index},2026-01-01,"${'é😀'.repeat(50)}"\n`;
    const csv = `title,pub_date,body\n${Array.from({ length: 20_000 }, (_, index) => row(index)).join('')}`;
    const { posts, lines } = await convert(csv);
    expect(posts).toHaveLength(20_000);
    expect(posts[19_999]).toEqual({
      title: 'Post 19999',
      pub_date: '2026-01-01T00:00:00Z',
      body: 'é😀'.repeat(50),
    });
    expect(lines.at(-1)).toBe(20_001);
  });

  it('reads Windows-1252, and rejects bytes that are invalid in the chosen encoding', async () => {
    const latin = Uint8Array.from([0x74, 0x0a, 0xe9, 0x80]);
    expect((await convert(latin, { encoding: 'windows-1252' })).posts).toEqual([{ title: 'é€', body: '' }]);
    await expect(convert(latin)).rejects.toThrow(WrongEncoding);
  });

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort(new Error('Stopped.'));
    await expect(csvToPostLines(new Blob(['a\nb\n']), OPTIONS, { signal })).rejects.toThrow('Stopped.');
  });
});

describe('serviceFaults', () => {
  it('translates line numbers to those of the file', () => {
    const faults = [
      { line: 2, pointer: '/title', detail: 'is empty' },
      { line: 1, detail: 'is no JSON' },
    ];
    expect(serviceFaults(faults, (line) => line * 10)).toEqual([
      { line: 20, field: 'title', reason: { detail: 'is empty' } },
      { line: 10, reason: { detail: 'is no JSON' } },
    ]);
  });
});

describe('guessFormat', () => {
  const utf16 = (text: string): Uint8Array<ArrayBuffer> =>
    Uint8Array.from([0xff, 0xfe, ...Array.from(text, (each) => [each.charCodeAt(0), 0]).flat()]);

  it.each<[string, BlobPart, string, Encoding]>([
    ['commas', 'title,body\n', ',', 'utf-8'],
    ['semicolons', 'title;body;a,b\n', ';', 'utf-8'],
    ['tabs', 'title\tbody\n', '\t', 'utf-8'],
    ['a single column', 'title\n', ',', 'utf-8'],
    ['quoted commas', '"a,b,c";d\n', ';', 'utf-8'],
    ['an empty file', '', ',', 'utf-8'],
    ['Windows-1252', Uint8Array.from([0xdc, 0x3b, 0x61]), ';', 'windows-1252'],
    ['UTF-16', utf16('title\tbody\n'), '\t', 'utf-16le'],
  ])('recognises %s', async (_, text, delimiter, encoding) => {
    expect(await guessFormat(new Blob([text]))).toEqual({ encoding, delimiter });
  });
});

describe('sampleRows', () => {
  it('gives the first rows', async () => {
    const rows = await sampleRows(new Blob(['a,b\n1,2\n'.repeat(50)]), OPTIONS);
    expect(rows.map(({ cells }) => cells.join())).toEqual(['a,b', '1,2', 'a,b', '1,2', 'a,b', '1,2']);
  });
});
