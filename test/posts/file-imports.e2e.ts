import { FileImportsService } from '../../src/imports/file-imports.service.js';
import { ImportUndoService } from '../../src/imports/import-undo.service.js';
import type { Author } from '../../src/http/request/author.js';
import type { BulkProgress } from '../../src/posts/writes/bulk-actions.js';
import { HistoryService } from '../../src/history/history.service.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
const imports = service.app.get(FileImportsService, { strict: false });
const undos = service.app.get(ImportUndoService, { strict: false });
const history = service.app.get(HistoryService, { strict: false });
const AUTHOR: Author = { kind: 'account', name: 'erin' };

async function* chunksOf(file: string | Buffer, size = 7): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function undo(entry: number): Promise<BulkProgress> {
  let last: BulkProgress | undefined;
  for await (const progress of (await undos.prepare(entry, AUTHOR))()) last = progress;
  return last!;
}

const titlesOf = async (search: string): Promise<string[]> =>
  (await service.get(`/posts/?search=${search}&ordering=id`)).json<PostJson[]>().map(({ title }) => title);

describe('an import of a file', () => {
  it.each([
    ['UTF-8 with semicolons', Buffer.from('title;body\r\nGröße;"a;b"\r\n'), 'utf-8', ';'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufefftitle,body\nGröße,a;b\n'), 'utf-8', ','],
    ['Windows-1252', Buffer.from('title;body\r\nGröße;"a;b"\r\n', 'latin1'), 'windows-1252', ';'],
    ['UTF-16 with tabs', Buffer.from('\ufefftitle\tbody\r\nGröße\ta;b\r\n', 'utf16le'), 'utf-16le', '\t'],
    ['UTF-16, big endian', Buffer.from('\ufefftitle,body\nGröße,a;b\n', 'utf16le').swap16(), 'utf-16be', ','],
    ['UTF-16 without a mark', Buffer.from('title,body\nGröße,a;b\n', 'utf16le'), 'utf-16le', ','],
    ['NDJSON', Buffer.from('{"title":"Größe","body":"a;b"}\n'), 'utf-8', undefined],
  ])('recognizes %s', async (_, file, encoding, delimiter) => {
    expect(await imports.check(chunksOf(file), 'create')).toMatchObject({
      format: delimiter === undefined ? 'ndjson' : 'csv',
      encoding,
      delimiter,
      columns: delimiter === undefined ? undefined : ['title', 'body'],
      sample: [{ title: 'Größe', body: 'a;b' }],
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
  ])('refuses %s with a sentence', async (_, file, sentence) => {
    const { faults } = await imports.check(chunksOf(file), 'create');
    expect(faults).toEqual([
      { detail: expect.stringContaining(sentence), code: 'malformed_csv', line: 1, pointer: '' },
    ]);
    await expect(imports.store(chunksOf(file), 'create', AUTHOR)).rejects.toMatchObject({ status: 400 });
  });

  it('replaces posts by id, creates the others, and is undone by its entry', async () => {
    const [changed, same] = await service.createAll([{ title: 'sheet one' }, { title: 'sheet two' }]);
    const file = [
      'id,title,body,pub_date',
      `${changed!.id},sheet ONE,new,`,
      `${same!.id},${same!.title},${same!.body},${same!.pub_date}`,
      ',sheet three,,',
      '999999,sheet four,,',
    ].join('\n');
    const counts = { created: 2, replaced: 1, unchanged: 1 };
    expect(await imports.check(chunksOf(file), 'replace')).toMatchObject({ ...counts, faults: [] });
    expect(await titlesOf('sheet')).toEqual(['sheet one', 'sheet two']);

    const { entry, ids, ...stored } = await imports.store(chunksOf(file), 'replace', AUTHOR);
    expect([stored, ids!.last - ids!.first]).toEqual([counts, 1]);
    expect(await titlesOf('sheet')).toEqual(['sheet ONE', 'sheet two', 'sheet three', 'sheet four']);
    const replaced = (await service.get(`/posts/${changed!.id}/`)).json<PostJson>();
    expect([replaced.body, replaced.pub_date]).toEqual(['new', changed!.pub_date]);
    const { rows } = await history.changesOf({ action: 'imported' }, { limit: 10, cursor: undefined });
    expect(rows.map(({ id, count, author }) => [id, count, author.name])).toEqual([[entry, 3, 'erin']]);

    const four = (await service.get('/posts/?title=sheet+four')).json<PostJson[]>()[0]!;
    await service.put(`/posts/${four.id}/`, { title: 'sheet five', body: '' });
    expect(await undo(entry!)).toMatchObject({ done: 2, total: 2 });
    expect(await titlesOf('sheet')).toEqual(['sheet one', 'sheet two', 'sheet five']);
    expect(await undo(entry!)).toMatchObject({ done: 0 });
  });

  it('stores nothing when a row has a fault, an id that is none, or one that occurs twice', async () => {
    const { id } = await service.create({ title: 'kept' });
    const file = `id,title,body\n${id},kept NEW,\n${id},again,\nx,bad id,\n,,\n`;
    const { faults } = await imports.check(chunksOf(file), 'replace');
    expect(faults.map(({ line, code }) => [line, code])).toEqual([
      [3, 'repeated'],
      [4, 'not_an_integer'],
      [5, 'blank'],
    ]);
    await expect(imports.store(chunksOf(file), 'replace', AUTHOR)).rejects.toMatchObject({ status: 400 });
    expect(await titlesOf('kept')).toEqual(['kept']);
  });

  it('ignores ids when it creates posts, and is one entry of the log', async () => {
    const { id } = await service.create({ title: 'plain' });
    const { entry, ...result } = await imports.store(
      chunksOf(`id,title,body\n${id},plain,\n`),
      'create',
      AUTHOR,
    );
    expect(result).toMatchObject({ created: 1, replaced: 0, unchanged: 0 });
    expect(await undo(entry!)).toMatchObject({ done: 1 });
    expect(await titlesOf('plain')).toEqual(['plain']);
  });
});
