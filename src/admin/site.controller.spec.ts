import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { NotFound } from '../problem-details/problems.js';
import { SiteFiles } from './site.controller.js';

let folder: string;
let files: SiteFiles;

beforeEach(async () => {
  folder = temporaryFolder();
  await mkdir(join(folder, 'assets'));
  files = new SiteFiles(folder);
});

const write = (name: string, content: string) => writeFile(join(folder, name), content);

describe('SiteFiles.page', () => {
  it('has the base address, escaped, as soon as it is built', async () => {
    await expect(files.page('/admin/')).rejects.toThrow(NotFound);
    await write('index.html', '<head>\n<base href="/admin/" />\n<title>');
    expect(await files.page('/blog/admin/')).toBe('<head>\n<base href="/blog/admin/">\n<title>');
    expect(await files.page('/a&b"$&/')).toBe('<head>\n<base href="/a&amp;b&quot;$&amp;/">\n<title>');
  });
});

describe('SiteFiles.file', () => {
  const asset = (name: string) => files.file(name);

  it('has its media type and its prebuilt br and gzip', async () => {
    for (const [suffix, content] of Object.entries({ '': 'let a;', '.br': 'as br', '.gz': 'as gzip' }))
      await write(`assets/a-Ab1_-.js${suffix}`, content);
    const file = await asset('a-Ab1_-.js');
    expect(file).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
      body: Buffer.from('let a;'),
    });
    for (const coding of ['br', 'gzip'] as const)
      expect(file.encode(coding)).toEqual(Buffer.from(`as ${coding}`));
    expect(await asset('a-Ab1_-.js')).toBe(file);
  });

  it.each([
    '',
    'a.js/',
    ...'missing.js ../secret.js ..%2Fsecret.js .hidden.js . .. folder.js page.html a.js.br a.exe'.split(' '),
  ])('is not found for %j', async (name) => {
    const others =
      'secret.js assets/.hidden.js assets/a.js assets/a.js.br assets/page.html assets/a.exe'.split(' ');
    for (const each of others) await write(each, 'secret');
    await mkdir(join(folder, 'assets/folder.js'));
    await expect(asset(name)).rejects.toThrow(NotFound);
  });
});
