import type { FileImportDto } from '../../src/admin/imports.controller.js';
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

async function undo(entry: number | null): Promise<unknown> {
  const response = await admin.send('POST', 'import-undos/', { entry });
  return JSON.parse(response.text.trimEnd().split('\n').at(-1)!);
}

const titlesOf = async (search: string): Promise<string[]> =>
  (await service.get(`/posts/?search=${search}&ordering=id`)).json<PostJson[]>().map(({ title }) => title);

describe('POST /admin/api/import-checks/', () => {
  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\ufefftitle,body\nGröße,a;b\n'), 'utf-8', ','],
    ['Windows-1252', Buffer.from('title;body\r\nGröße;"a;b"\r\n', 'latin1'), 'windows-1252', ';'],
    ['UTF-16 with tabs', Buffer.from('\ufefftitle\tbody\r\nGröße\ta;b\r\n', 'utf16le'), 'utf-16le', '\t'],
    ['UTF-16 without a mark', Buffer.from('title,body\nGröße,a;b\n', 'utf16le'), 'utf-16le', ','],
    ['UTF-16, big endian', Buffer.from('\ufefftitle,body\nGröße,a;b\n', 'utf16le').swap16(), 'utf-16be', ','],
    ['the same without it', Buffer.from('title,body\nGröße,a;b\n', 'utf16le').swap16(), 'utf-16be', ','],
    ['NDJSON', Buffer.from('{"title":"Größe","body":"a;b"}\n'), 'utf-8', undefined],
  ])('recognizes %s', async (_, file, encoding, delimiter) => {
    expect((await check(file)).json()).toEqual({
      format: delimiter === undefined ? 'ndjson' : 'csv',
      encoding,
      ...(delimiter !== undefined && { delimiter, columns: ['title', 'body'] }),
      titles: ['Größe'],
      created: 1,
      replaced: 0,
      unchanged: 0,
      faults: [],
    });
  });

  it.each([
    ['an Excel file', 'PK\u0003\u0004xl/workbook.xml', 'This is an Excel file.'],
    ['a file without a header', 'Hello,world\n', 'The file has no header.'],
    ['a JSON array', '[{"title":"a","body":""}]', 'This is a JSON array.'],
  ])('says what %s is, and an import refuses it', async (_, file, sentence) => {
    const detail = expect.stringContaining(sentence);
    const errors = [{ detail, code: 'malformed_csv', line: 1, pointer: '' }];
    expect((await check(file)).json<{ faults: object[] }>().faults).toEqual(errors);
    const refused = await importFile(file);
    expect([refused.status, refused.problem.errors]).toEqual([400, errors]);
  });

  it('reports the first hundred faults, as an import does, and reads a large file to its end', async () => {
    const file = '{"title":"","body":""}\n'.repeat(60_000);
    const { faults } = (await check(file)).json<{ faults: { line: number }[] }>();
    expect([faults.length, faults.at(-1)!.line]).toEqual([100, 100]);
    const refused = await importFile(file);
    expect([refused.status, refused.problem.errors]).toEqual([400, faults]);
    expect((await check('')).json()).toMatchObject({ created: 0, faults: [] });
  });
});

describe('POST /admin/api/imports/', () => {
  it('replaces posts by id, creates the others, and is undone except for posts that were changed since', async () => {
    const [changed, same] = await service.createAll([{ title: 'sheet one' }, { title: 'sheet two' }]);
    const file = [
      'id,title,body,pub_date',
      `${changed!.id},sheet ONE,new,`,
      `${same!.id},${same!.title},${same!.body},${same!.pub_date}`,
      ",sheet three,'=1,",
      '999999,sheet four,,',
      ',sheet six,,',
    ].join('\n');
    const counts = { created: 3, replaced: 1, unchanged: 1 };
    expect((await check(file, '?ids=replace')).json()).toMatchObject({ ...counts, faults: [] });
    expect(await titlesOf('sheet')).toEqual(['sheet one', 'sheet two']);

    const key = { 'Idempotency-Key': 'sheet' };
    const response = await importFile(file, '?ids=replace', key);
    const { entry, ids, ...stored } = response.json<FileImportDto>();
    expect([stored, ids!.last - ids!.first]).toEqual([counts, 2]);
    expect((await importFile(file, '?ids=replace', key)).text).toBe(response.text);
    expect(await titlesOf('sheet')).toEqual([
      'sheet ONE',
      'sheet two',
      'sheet three',
      'sheet four',
      'sheet six',
    ]);
    const replaced = (await service.get(`/posts/${changed!.id}/`)).json<PostJson>();
    expect([replaced.body, replaced.pub_date]).toEqual(['new', changed!.pub_date]);
    const [three, four] = [ids!.first, ids!.first + 1];
    expect((await service.get(`/posts/${three}/`)).json()).toMatchObject({ body: '=1' });
    const [logged] = (await admin.get('changes/?action=imported&limit=1')).json<object[]>();
    expect(logged).toMatchObject({ id: entry, post_count: 4, author: { name: 'admin' } });

    await service.put(`/posts/${four}/`, { title: 'sheet five', body: '' });
    await service.delete(`/posts/${ids!.last}/`);
    expect(await undo(entry)).toMatchObject({ done: 2, total: 2 });
    expect(await titlesOf('sheet')).toEqual(['sheet one', 'sheet two', 'sheet five']);
    expect(await undo(entry)).toMatchObject({ done: 0 });
    expect((await admin.send('POST', 'import-undos/', { entry: 9_000_000 })).status).toBe(404);
  });

  it('stores nothing when a row has a fault, an id that is none, or one that occurs twice', async () => {
    const { id } = await service.create({ title: 'kept' });
    const file = `id,title,body\n${id},kept NEW,\n${id},again,\nx,bad id,\n,,\n`;
    const { faults } = (await check(file, '?ids=replace')).json<{
      faults: { line: number; code: string }[];
    }>();
    expect(faults.map(({ line, code }) => [line, code])).toEqual([
      [3, 'repeated'],
      [4, 'not_an_integer'],
      [5, 'blank'],
    ]);
    expect((await importFile(file, '?ids=replace')).problem.errors).toEqual(faults);
    expect(await titlesOf('kept')).toEqual(['kept']);
  });

  it('does nothing for posts that are stored already, unless ids are ignored, and refuses other queries and types', async () => {
    const post = await service.create({ title: 'same' });
    const file = `${JSON.stringify({ id: post.id, title: post.title, body: post.body })}\n`;
    const stored = (await importFile(file, '?ids=replace')).json();
    expect(stored).toEqual({ created: 0, replaced: 0, unchanged: 1, entry: null });
    expect((await importFile(file)).json()).toMatchObject({ created: 1, replaced: 0 });
    expect((await importFile(file, '?ids=all')).faultyPlaces).toEqual(['parameter ids']);
    const headers = { 'Content-Type': 'text/csv', ...asAdmin };
    const response = await service.request('POST', '/admin/api/imports/', { headers, body: 'x' });
    expect(response.status).toBe(415);
    expect((await service.request('POST', '/admin/api/imports/', { headers: asAdmin })).status).toBe(400);
  });
});
