import { gzipSync } from 'node:zlib';
import type { FileImportDto, ImportCheckDto } from '../../src/admin/imports.controller.js';
import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';

const { service, admin, asAdmin } = await startAdminService();

const sendFile = (target: string, body: string | Buffer, headers = {}): Promise<HttpResponse> =>
  service.request('POST', `/admin/api/${target}`, {
    headers: { 'Content-Type': 'application/octet-stream', ...asAdmin, ...headers },
    body,
  });
const check = (file: string | Buffer, query = '') => sendFile(`import-checks/${query}`, file);
const importFile = (file: string | Buffer, query = '', headers = {}) =>
  sendFile(`imports/${query}`, file, headers);

/** The titles of all posts that begin with a word. */
const titlesOf = async (word: string): Promise<string[]> => {
  const posts = (await service.get('/posts/?ordering=id&limit=1000')).json<PostJson[]>();
  return posts.map(({ title }) => title).filter((title) => title.startsWith(word));
};

/** Bytes of a text in a single-byte encoding, written as their code points. */
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Bytes of a text in UTF-8, with `~` in the place of half a character. */
const cut = (text: string): Buffer => {
  const parts = text.split('~').flatMap((part) => [Buffer.from(part), Buffer.from([0xe2, 0x80])]);
  return Buffer.concat(parts.slice(0, -1));
};

describe('POST /admin/api/import-checks/', () => {
  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufefftitle,body\nGröße,a;b\n'), 'UTF-8', ','],
    ['Windows-1252', bytes('title;body\r\nGröße;"a;b"\r\n'), 'Windows-1252', ';'],
    ['UTF-16 with tabs', utf16('title\tbody\r\nGröße\ta;b\r\n'), 'UTF-16', '\t'],
    ['UTF-16 without a mark', utf16('title,body\nGröße,a;b\n').subarray(2), 'UTF-16', ','],
    ['UTF-16, big endian', utf16('title,body\nGröße,a;b\n').swap16(), 'UTF-16BE', ','],
    ['the same without it', utf16('title,body\nGröße,a;b\n').subarray(2).swap16(), 'UTF-16BE', ','],
    ['NDJSON', Buffer.from('{"title":"Größe","body":"a;b"}\n'), 'UTF-8', undefined],
  ])('recognizes %s', async (_, file, encoding, delimiter) => {
    expect((await check(file)).json()).toEqual({
      format: delimiter === undefined ? 'ndjson' : 'csv',
      encoding,
      ...(delimiter !== undefined && { delimiter, columns: ['title', 'body'] }),
      titles: ['Größe'],
      rows: [{ row: delimiter === undefined ? 1 : 2, title: 'Größe', pub_date: null, body: 'a;b' }],
      created: 1,
      replaced: 0,
      unchanged: 0,
      skipped: 0,
      replacements: [],
      conflicts: [],
      faults: [],
    });
  });

  it.each<[string, string | Buffer, string[]]>([
    ['French quotation marks', bytes('title,body\n\xab\xa0\xc9t\xe9\xa0\xbb,x\n'), ['«\u00a0Été\u00a0»|x']],
    ['capitals and blanks in the header', 'Title, Pub Date , BODY\na,2026-01-02,b\n', ['a|b']],
    ['empty columns at the right', 'title,body,,\r\na,b,,\r\nc,d\r\n', ['a|b', 'c|d']],
    ['150 empty columns', `title,body${','.repeat(150)}\na,b${','.repeat(150)}\n`, ['a|b']],
    ['a delimiter at the end of each row', 'title,body\na,b,\nc,d, ,\n', ['a|b', 'c|d']],
    ['rows of delimiters', ';;\n\ntitle;body;\na;b;\n;;\n ; ;\n', ['a|b']],
    ['a line that names the delimiter', 'sep=;\r\ntitle;body\r\n"a,";b\r\n', ['a,|b']],
    ['two carriage returns at each line end', 'title,body\r\r\na,"b\r\n"\r\r\n', ['a|b\r\n']],
    ['tabs between quoted cells', 'title\tbody\na\t"b ""c""\nd"\n', ['a|b "c"\nd']],
    [
      'tabs between cells with quotes as they are',
      'title\tbody\r\nThe 12" ferry\t"All in quotes"\r\n"Quoted" title\t"\r\n',
      ['The 12" ferry|"All in quotes"', '"Quoted" title|"'],
    ],
    ['apostrophes of its own', `title,body\n'@' is at,'=1\n`, [`'@' is at|'=1`]],
  ])('accepts a file with %s', async (_, file, posts) => {
    expect((await check(file)).json<{ faults: object[] }>().faults).toEqual([]);
    const { ids } = (await importFile(file)).json<FileImportDto>();
    const list = await service.get(`/posts/?ordering=-id&limit=${ids!.last - ids!.first + 1}`);
    const texts = list.json<PostJson[]>().map(({ title, body }) => `${title}|${body}`);
    expect(texts.toReversed()).toEqual(posts);
  });

  it.each([
    ['2026-01-02 3:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02 03:04:05.5+00', '2026-01-02T03:04:05.500Z'],
    ['2026-01-02 03:04:05-05', '2026-01-02T08:04:05.000Z'],
    [' 2.1.2026 ', '2026-01-02T00:00:00.000Z'],
    ['02.01.2026, 3:04:05', '2026-01-02T03:04:05.000Z'],
  ])('accepts %j, a date that can be read in one way only', async (cell, date) => {
    const { ids } = (await importFile(`title;body;pub_date\na;b;"${cell}"`)).json<FileImportDto>();
    expect((await service.get(`/posts/${ids!.first}/`)).json()).toMatchObject({ pub_date: date });
  });

  const CODED = 'The encoding of the file is not known';
  const NOT_UTF16 = 'bytes that are not UTF-16';
  it.each<[string, string | Buffer]>([
    ['This is a file of Excel, LibreOffice or another program.', 'PK\u0003\u0004xl/workbook.xml'],
    ['This is a compressed file (gzip).', gzipSync('title,body\na,b\n')],
    [
      'This is a web page, whatever its name is.',
      '<html xmlns:x="urn:x"><table><tr><td>title</td></tr></table>',
    ],
    ['This is XML.', '<?xml version="1.0"?><posts/>'],
    ['This is a document of a word processor (RTF).', '{\\rtf1\\ansi title,body}'],
    ['This is a PDF.', '%PDF-1.7\n'],
    ['This is no text.', Buffer.from('SQLite format 3\0\u0010\0')],
    ['This is no text.', Buffer.from('377abcaf271c0004', 'hex')],
    ['This is an image.', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['A space stands before the quote that opens the cell.', 'title, body\n"a", "b"\n'],
    ['It has “Hello”, “world”.', 'Hello,world\n'],
    ['Column 3, “Autor”, is not known; known are id, title,', 'title,body,Autor\n'],
    ['Cell 1 is “0”, but the header has no name for its column.', ',title,body\n0,a,b\n'],
    ['Cell 3 is “c”, but the header has no name for its column.', 'title;body\na;b;c\n'],
    ['The row has fewer cells (1) than the header has names (2).', 'title;body;;\na\n'],
    ['only a semicolon or the end of the line is allowed.', 'title;body\r\n"a "b"";x\r\n'],
    ['The record has bytes that are not UTF-8, after “b,c ”.', cut('title,body\nGröße,“a”\nb,c ~\n')],
    ['bytes that are not UTF-8', cut('\ufefftitle,body\nGröße,~\n')],
    ['bytes that are not UTF-8', cut('title,body\na,b~\n')],
    ['The line is not UTF-8.', cut('{"title":"a","body":"~"}\n')],
    [NOT_UTF16, utf16('title,body\n\ud83d,b\n')],
    [NOT_UTF16, utf16('title,body\na,b').subarray(0, -1)],
    // A byte that Windows-1252 lacks, also beyond the beginning; Shift_JIS; Windows-1251.
    [CODED, bytes('title,body\nGr\xf6\xdfe,a\n\x9d,b\n')],
    ['not Windows-1252', bytes(`title,body\nGr\xf6\xdfe,${'a'.repeat(1_100_000)}\n\x9d,b`)],
    [CODED, bytes('title,body\n\x93\xfa\x96{\x8c\xea,\x82\xa0\x82\xa2\x82\xa4\n')],
    [CODED, bytes('title;body\n\xcf\xf0\xe8\xe2\xe5\xf2;\xec\xe8\xf0\n')],
    ['The lines end with carriage returns alone', 'title,body\ra,b\rc,d\r'],
    ['This is one JSON document.', '[{"title":"a","body":""}]'],
    ['This is one JSON document.', '{\n "posts": [\n'],
    ['It ends with a comma', '{"title":"a","body":"b"},\n{"title":"c","body":"d"}\n'],
    ['The line is not well-formed JSON.', '{"title":"a","body"\n'],
  ])('says what is wrong with a file, and an import refuses it: %s', async (sentence, file) => {
    const { faults } = (await check(file)).json<{ faults: { detail: string; line: number }[] }>();
    expect(faults.map(({ detail }) => detail)).toEqual([expect.stringContaining(sentence)]);
    const { status, problem } = await importFile(file);
    const { detail, line } = faults[0]!;
    expect([status, problem.errors]).toMatchObject([400, [{ detail, line }]]);
  });

  it('shows where a fault is in the spreadsheet, and titles beyond ASCII first', async () => {
    const titles = ['b', 'c', 'd', 'e', 'f', 'Größe'];
    const rows = titles.map((title) => `${title},`).join('\n');
    const file = `title,body,pub_date\na,"1\n2\n3",\n\nwrong,"4\n5",2/3/2026\n${rows.replaceAll(',', ',,')}`;
    const checked = (await check(file)).json<{ titles: string[]; faults: object[] }>();
    const place = { line: 6, pointer: '/pub_date' };
    expect(checked.faults).toMatchObject([{ ...place, row: 4, title: 'wrong', value: '2/3/2026' }]);
    expect(checked.titles).toEqual(['Größe', 'b', 'c', 'd', 'e']);
    const { errors } = (await importFile(file)).problem;
    expect(errors).toEqual([{ ...place, code: 'not_a_date', detail: expect.any(String) }]);
  });

  it('reports the first hundred faults, as an import does, and reads a large file to its end', async () => {
    const file = '{"title":"","body":""}\n'.repeat(60_000);
    const { faults } = (await check(file)).json<{ faults: { line: number }[] }>();
    expect([faults.length, faults.at(-1)!.line]).toEqual([100, 100]);
    const refused = await importFile(file);
    const errors = faults.map(({ line }) => ({ line, code: 'blank', pointer: '/title' }));
    expect([refused.status, refused.problem.errors]).toMatchObject([400, errors]);
    expect((await check('')).json()).toMatchObject({ created: 0, faults: [] });
  });
});

describe('the rows that a check shows', () => {
  it('are the first ones, with the dates that would be stored and the beginnings of bodies', async () => {
    const lines = Array.from({ length: 12 }, (_, n) => `row ${n},2026-07-01,${'😀'.repeat(150)}`);
    const { rows } = (await check(['title,pub_date,body', ...lines].join('\n'))).json<ImportCheckDto>();
    expect(rows).toHaveLength(10);
    const body = `${'😀'.repeat(100)}…`;
    expect(rows[9]).toEqual({ row: 11, title: 'row 9', pub_date: '2026-07-01T00:00:00.000Z', body });
  });

  it('are compared with the posts that they replace, around the first difference', async () => {
    const body = `${'same '.repeat(100)}old ${'rest '.repeat(100)}`;
    const post = await service.create({ title: '007', body, pub_date: '2026-01-02T00:00:00Z' });
    const file = `id,title,pub_date,body\n${post.id},7,2026-01-03,${body.replace('old', 'new')}\n`;
    const { replacements } = (await check(file, '?ids=replace')).json<ImportCheckDto>();
    expect(replacements[0]!.changes).toEqual([
      { field: 'title', before: '007', after: '7' },
      { field: 'pub_date', before: '2026-01-02T00:00:00.000Z', after: '2026-01-03T00:00:00.000Z' },
      {
        field: 'body',
        before: expect.stringMatching(/^…(same ){4}old (rest ){35}r…$/),
        after: expect.stringMatching(/^…(same ){4}new (rest ){35}r…$/),
      },
    ]);
  });
});

describe('POST /admin/api/imports/', () => {
  it('replaces posts by id, and creates the others', async () => {
    const [changed, same, large] = await service.createAll([
      { title: 'sheet one' },
      { title: 'sheet two' },
      { title: 'sheet large', body: 'large '.repeat(10_000) },
    ]);
    const file = [
      'id,title,body,pub_date',
      `${changed!.id},sheet ONE,new,`,
      `${same!.id},${same!.title},${same!.body},${same!.pub_date}`,
      ',sheet three,=1,',
      `${large!.id},sheet LARGE,small,`,
      '999999,sheet four,,',
    ].join('\n');
    const counts = { created: 2, replaced: 2, unchanged: 1, skipped: 0 };
    const { id } = changed!;
    const replacement = { row: 2, id, title: 'sheet one', state: 'unchanged', at: expect.any(String) };
    const replacements = [
      {
        ...replacement,
        changes: [
          { field: 'title', before: 'sheet one', after: 'sheet ONE' },
          { field: 'body', before: changed!.body, after: 'new' },
        ],
      },
      { ...replacement, row: 5, id: large!.id, title: 'sheet large' },
    ];
    expect((await check(file, '?ids=replace')).json()).toMatchObject({ ...counts, replacements, faults: [] });
    expect(await titlesOf('sheet')).toEqual(['sheet one', 'sheet two', 'sheet large']);

    const key = { 'Idempotency-Key': 'sheet' };
    const response = await importFile(file, '?ids=replace', key);
    const { entry, ids, ...stored } = response.json<FileImportDto>();
    expect([stored, ids!.last - ids!.first]).toEqual([counts, 1]);
    expect((await importFile(file, '?ids=replace', key)).text).toBe(response.text);
    expect(await titlesOf('sheet')).toEqual([
      'sheet ONE',
      'sheet two',
      'sheet LARGE',
      'sheet three',
      'sheet four',
    ]);
    const replaced = (await service.get(`/posts/${id}/`)).json<PostJson>();
    expect([replaced.body, replaced.pub_date]).toEqual(['new', changed!.pub_date]);
    expect((await service.get(large!.path)).json()).toMatchObject({ body: 'small', title: 'sheet LARGE' });
    const [logged] = (await admin.get('changes/?action=imported&limit=1')).json<object[]>();
    expect(logged).toMatchObject({ id: entry, post_count: 4, author: { name: 'admin' } });
  });

  it.each(['csv', 'ndjson'])(
    'knows from an export as %s which posts were changed or deleted since',
    async (format) => {
      const title = `'=late ${format}`;
      const created = await service.createAll([{ title }, { title }, { title }, { title }]);
      const ids = created.map((post) => post.id);
      const exported = (await admin.send('POST', 'exports/', { format, ids })).text;
      expect((await check(exported, '?ids=replace')).json()).toMatchObject({ unchanged: 4, faults: [] });
      const edited = exported.replaceAll('late', 'EDITED');
      const [, changed, deleted, restored] = created;
      await service.put(`/posts/${changed!.id}/`, { title: 'by a colleague', body: '' });
      await service.delete(`/posts/${deleted!.id}/`);
      await service.put(`/posts/${restored!.id}/`, { title: 'meanwhile', body: '' });
      await service.put(`/posts/${restored!.id}/`, { title, body: restored!.body });
      const checked = (await check(edited, '?ids=replace')).json();
      const counts = { created: 0, replaced: 2, unchanged: 0, skipped: 2 };
      const replacements = [{ id: ids[0] }, { id: restored!.id }];
      const conflicts = [
        { id: changed!.id, title: 'by a colleague', state: 'changed', isEdited: true },
        { id: deleted!.id, title: title.replace('late', 'EDITED'), state: 'deleted', isEdited: true },
      ];
      expect(checked).toMatchObject({ ...counts, faults: [], replacements, conflicts });
      // The rows of the export itself would only take back what others have done.
      const untouched = conflicts.map(() => ({ isEdited: false }));
      expect((await check(exported, '?ids=replace')).json()).toMatchObject({
        unchanged: 2,
        skipped: 2,
        conflicts: untouched,
      });

      expect((await importFile(edited, '?ids=replace')).json()).toMatchObject(counts);
      expect((await service.get(`/posts/${changed!.id}/`)).json()).toMatchObject({ title: 'by a colleague' });
      const overriding = await importFile(edited, '?ids=replace&conflicts=import');
      expect(overriding.json()).toMatchObject({ created: 1, replaced: 1, unchanged: 2, skipped: 0 });
      const now = (await service.get(`/posts/?id=${ids.join(',')}`)).json<PostJson[]>();
      expect(now.map((post) => post.title)).toEqual(Array(3).fill(title.replace('late', 'EDITED')));
    },
  );

  it('stores nothing when a row has a fault, an id that is none, or one that occurs twice', async () => {
    const { id } = await service.create({ title: 'kept' });
    const file = `id,title,body\n${id},kept NEW,\n${id},again,\nx,bad id,\n,,\n`;
    const codes = ['repeated', 'not_an_integer'];
    const faults = codes.map((code, index) => ({ line: 3 + index, code }));
    expect((await check(file, '?ids=replace')).json()).toMatchObject({ faults });
    expect((await importFile(file, '?ids=replace')).problem.errors).toMatchObject(faults);
    expect(await titlesOf('kept')).toEqual(['kept']);
  });

  it('does nothing for posts that are stored already, unless ids are ignored, and refuses other queries and types', async () => {
    const post = await service.create({ title: 'same' });
    const file = `${JSON.stringify({ id: post.id, title: post.title, body: post.body })}\n`;
    const stored = (await importFile(file, '?ids=replace')).json();
    expect(stored).toEqual({ created: 0, replaced: 0, unchanged: 1, skipped: 0, entry: null });
    expect((await importFile(file)).json()).toMatchObject({ created: 1, replaced: 0 });
    expect((await importFile(file, '?ids=all')).faultyPlaces).toEqual(['parameter ids']);
    const headers = { 'Content-Type': 'text/csv', ...asAdmin };
    const response = await service.request('POST', '/admin/api/imports/', { headers, body: 'x' });
    expect(response.status).toBe(415);
    expect((await service.request('POST', '/admin/api/imports/', { headers: asAdmin })).status).toBe(400);
  });
});
