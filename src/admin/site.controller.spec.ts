import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteFiles } from './site.controller.js';

let folder: string;
let files: SiteFiles;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posts-site-'));
  await mkdir(join(folder, 'assets'));
  files = new SiteFiles(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: string) => writeFile(join(folder, name), content);

describe('SiteFiles.page', () => {
  it.each([
    ['<head>\n<base href="/admin/" />\n<title>', '<head>\n<base href="/blog/admin/">\n<title>'],
    ['<HEAD lang="en"><title>', '<HEAD lang="en"><base href="/blog/admin/"><title>'],
  ])('sets the base address in %j', async (page, expected) => {
    await write('index.html', page);
    expect(await files.page('/blog/admin/')).toBe(expected);
  });

  it('escapes the base address', async () => {
    await write('index.html', '<head>');
    expect(await files.page('/a&b"$&/admin/')).toBe('<head><base href="/a&amp;b&quot;$&amp;/admin/">');
  });

  it('serves index.html as soon as it is built', async () => {
    expect(await files.page('/admin/')).toContain('The files of this site are missing');
    await write('index.html', '<head>');
    expect(await files.page('/admin/')).toBe('<head><base href="/admin/">');
  });
});

describe('SiteFiles.asset', () => {
  it('is cached as immutable, and has its media type', async () => {
    await write('assets/index-Ab1_-.js', 'let a;');
    const asset = await files.asset('index-Ab1_-.js');
    expect(asset).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
    expect(asset!.body).toEqual(Buffer.from('let a;'));
    expect(await files.asset('index-Ab1_-.js')).toBe(asset);
  });

  it('serves the prebuilt br and gzip files', async () => {
    for (const [suffix, content] of [
      ['', 'let a;'],
      ['.br', 'as br'],
      ['.gz', 'as gzip'],
    ] as const) {
      await write(`assets/a.js${suffix}`, content);
    }
    const asset = await files.asset('a.js');
    for (const coding of ['br', 'gzip'] as const) {
      expect(asset!.encode(coding)).toEqual(Buffer.from(`as ${coding}`));
    }
  });

  it.each([
    'missing.js',
    '../secret.js',
    '..%2Fsecret.js',
    '.hidden.js',
    '',
    '.',
    '..',
    'a.js/',
    'folder.js',
    'page.html',
    'a.js.br',
    'a.exe',
  ])('does not serve %j', async (name) => {
    for (const each of [
      'secret.js',
      'assets/.hidden.js',
      'assets/a.js',
      'assets/a.js.br',
      'assets/page.html',
    ]) {
      await write(each, 'secret');
    }
    await writeFile(join(folder, 'assets/a.exe'), 'secret');
    await mkdir(join(folder, 'assets/folder.js'));
    expect(await files.asset(name)).toBeUndefined();
  });
});

describe('SiteFiles.icon', () => {
  it('must be revalidated, because its name has no hash', async () => {
    await write('favicon.svg', '<svg/>');
    expect((await files.icon('favicon.svg'))!.headers).toMatchObject({
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'no-cache',
    });
    expect(await files.icon('index.html')).toBeUndefined();
  });
});
