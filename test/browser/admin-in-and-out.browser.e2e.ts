import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { chooseFileOnDisk, describeInBrowser, savedText } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { button } from '../support/site-locators.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { poll } from '../support/until.js';

const NDJSON = 'application/x-ndjson';

describeInBrowser('import and export in the administration site', () => {
  const site = adminSite();

  /** The posts that a search finds, lowest id first. */
  const found = (search: string): Promise<PostJson[]> => site.service.find(`search=${search}&ordering=id`);

  async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
    const buffer = Buffer.from(content as string);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
    await page.getByText(`${name}, ${buffer.length} bytes`).waitFor();
  }

  /** Waits until the focus has moved from a removed or disabled button to this text. */
  const focused = (page: Page, text: string): Promise<void> =>
    page.locator('main div:focus', { hasText: text }).waitFor();

  it('says what to do with a workbook and faulty lines, and imports the fixed file', async () => {
    const { page } = await site.open('import');
    // Larger than what the browser sends before it reads a response.
    const buffer = Buffer.concat([Buffer.from('504b030414000600', 'hex'), Buffer.alloc(8_000_000)]);
    await page.locator('input[type=file]').setInputFiles({ name: 'posts.xlsx', mimeType: '', buffer });
    await page.getByText('This is a file of Excel').waitFor();
    const rows = [
      'Meteor one;32.11.2026;a;7',
      ';2026-11-20;"no title";8',
      'Meteor short;2026-11-20',
      'Meteor two;2026-11-20 15:40:00+01:00;b;9',
    ];
    const csv = (lines: readonly string[]): string => ['title;pub_date;body;id', ...lines, ''].join('\r\n');
    await chooseFile(page, 'posts.csv', csv(rows));
    await page.getByRole('alert').getByText('Nothing can be imported until these faults').waitFor();
    const faults = page.getByRole('table', { name: 'Faults of the file' });
    await poll(() => faults.getByRole('rowheader').allInnerTexts()).toEqual(['2', '3', '4']);
    expect(await faults.getByRole('row').nth(1).getByRole('cell').allInnerTexts()).toEqual([
      'Meteor one',
      'Date of publication',
      expect.stringContaining('“32.11.2026”: The value must be a date'),
    ]);
    expect(await barriersOf(page)).toEqual([]);

    await chooseFile(page, 'right.csv', csv([rows[0]!.replace('32.11.2026', '2026-11-20'), rows[3]!]));
    await page.getByText('2 posts are ready to be imported.').waitFor();
    const recognized = 'CSV in UTF-8, cells separated by semicolons, columns title, pub_date, body, id.';
    await page.getByText(recognized).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    expect(await found('meteor')).toEqual([]);
    await button(page, 'Import 2 posts').click();
    await page.getByText('2 posts are imported.').waitFor();
    await focused(page, '2 posts are imported.');
    expect((await found('meteor')).map(({ title }) => title)).toEqual(['Meteor one', 'Meteor two']);
  });

  it('replaces posts by their ids when asked to, and leaves out those that were changed since the export', async () => {
    const first = await site.service.create({ title: 'Nebula 1' });
    const second = await site.service.create({ title: 'Nebula 2' });
    const { page } = await site.open('import');
    const rows = [first, second].map(({ id }) => `${id}\tNebula Größe ${id}\ta\tx0`);
    const header = 'id\ttitle\tbody\texport_fingerprint';
    const file = [header, rows[0]!.replace('\tx0', '\t'), rows[1], '\tNebula new\tb\t'].join('\n');
    await chooseFile(page, 'sheet.txt', Buffer.from(file, 'latin1'));
    await page.getByText('3 posts are ready to be imported.').waitFor();
    await page.getByText('CSV in Windows-1252, cells separated by tabs').waitFor();
    await page.getByText('If letters of the titles are wrong').waitFor();
    await page.getByLabel('Replace posts that have these ids').check();
    await page.getByText('1 new, 1 replaced, 0 unchanged, 1 left out.').waitFor();
    const late = page.getByRole('table', { name: 'Changed or deleted after the export' });
    await late.getByRole('row').nth(1).getByRole('link', { name: 'Nebula 2' }).waitFor();
    const replaced = page.getByRole('table', { name: 'Posts to be replaced' });
    await replaced.getByRole('deletion').getByText('Nebula 1').waitFor();
    await replaced.getByRole('insertion').getByText(`Nebula Größe ${first.id}`).waitFor();
    const rowsOfFile = page.getByRole('table', { name: 'The first rows' }).getByRole('rowheader');
    await poll(() => rowsOfFile.allInnerTexts()).toEqual([
      `Nebula Größe ${first.id}`,
      `Nebula Größe ${second.id}`,
      'Nebula new',
    ]);
    expect(await barriersOf(page)).toEqual([]);
    await button(page, 'Import 2 posts').waitFor();
    await page.getByLabel('Import these rows too').check();
    await button(page, 'Import 3 posts').click();
    await page.getByText('3 posts are imported. 1 new, 2 replaced, 0 unchanged.').waitFor();
    const titles = [`Nebula Größe ${first.id}`, `Nebula Größe ${second.id}`, 'Nebula new'];
    expect((await found('nebula')).map(({ title }) => title)).toEqual(titles);
  });

  it('imports an export once, although the first response is lost', async () => {
    await site.service.create({ title: 'Comet', body: '=1\r\n😀' });
    const exported = await site.service.get('/posts/?search=comet', { Accept: NDJSON });
    const { page, complaints } = await site.open('import');
    await chooseFile(page, 'posts.ndjson', exported.text);
    complaints.allow('net::ERR_INTERNET_DISCONNECTED');
    let tries = 0;
    await page.route('**/admin/api/imports/**', async (route) => {
      const response = await route.fetch();
      if (tries++ === 0) await route.abort('internetdisconnected');
      else await route.fulfill({ response });
    });
    await button(page, 'Import 1 post').click();
    await page.getByText('it is not known whether the posts were imported').waitFor();
    expect(await found('comet')).toHaveLength(2);
    await button(page, 'Try again').click();
    await page.getByText('1 post is imported.').waitFor();
    const [original, copy] = await found('comet');
    expect(copy).toEqual({ ...original!, id: copy!.id });
    expect(await found('comet')).toHaveLength(2);
  });

  it('stops while a file is sent, and says that the file has changed on the disk since it was chosen', async () => {
    const path = join(temporaryFolder(), 'posts.ndjson');
    await writeFile(path, '{"title":"","body":""}\n');
    const { page } = await site.open('import');
    await page.route('**/admin/api/import-checks/**', () => undefined);
    await chooseFileOnDisk(page, path);
    await button(page, 'Stop').click();
    await page.getByText('Stopped. Nothing was imported.').waitFor();
    await page.unroute('**/admin/api/import-checks/**');
    await button(page, 'Check the file again').click();
    await page.getByRole('alert').getByText('Nothing can be imported until these faults').waitFor();
    await writeFile(path, '{"title":"Corrected on the disk","body":""}\n');
    expect(await button(page, 'Check the file again').count()).toBe(0);
    await page.getByLabel('Replace posts that have these ids').check();
    await page.getByText('The file has changed on the disk since you chose it. Choose it again.').waitFor();
    await chooseFileOnDisk(page, path);
    await page.getByText('1 post is ready to be imported.').waitFor();
  });

  it('offers to choose another file where the same one cannot help', async () => {
    const { page } = await site.open('import');
    const chosenBy = async (name: string): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('main').getByRole('button', { name }).last().click(),
      ]);
      await chooser.setFiles([]);
    };
    await chooseFile(page, 'posts.csv', gzipSync('title,body\nOne,Text\n'));
    const failure = page.getByRole('alert');
    await failure.getByText('This is a compressed file (gzip). Unpack it').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    expect(await failure.getByRole('button').allInnerTexts()).toEqual(['Choose another file']);
    await chosenBy('Choose another file');
    await chooseFile(page, 'posts.csv', 'title,body\n,Text\n');
    await page.getByRole('table', { name: 'Faults of the file' }).waitFor();
    await chosenBy('Choose the corrected file');
  });

  it('exports the filtered list as CSV, with formulas as text', async () => {
    const first = await site.service.create({ title: '=HYPERLINK("x") planet' });
    const second = await site.service.create({ title: 'Planet 2', body: '-1' });
    const { page } = await site.open('posts?search=planet&ordering=id');
    await page.getByRole('link', { name: 'Export…' }).click();
    await page.getByText('with the words “planet”').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    expect(download.suggestedFilename()).toMatch(/^posts-filtered-2-\d{4}-\d\d-\d\d-\d{4}\.csv$/);
    await page.getByText('2 posts are saved.').waitFor();
    await focused(page, '2 posts are saved.');
    const text = await savedText(download);
    expect(text).toMatch(/^\ufeffid,title,pub_date,body\b.*,export_fingerprint\r\n/);
    expect(text).toContain(`\n${first.id},"'=HYPERLINK(""x"") planet",${first.pub_date},A body.,`);
    expect(text).toContain(`\n${second.id},Planet 2,${second.pub_date},'-1,`);
  });

  it('shows the dates of rows without a time, in the zone of the site, and refuses an empty file', async () => {
    const { page } = await site.open('import', { timezoneId: 'America/Los_Angeles' });
    await chooseFile(page, 'days.csv', 'title,pub_date,body\nA day,2026-07-01,x\n');
    await page
      .getByText(/A date without a time zone is read as UTC.* shown here in America\/Los_Angeles\.$/)
      .waitFor();
    await page.getByRole('table', { name: 'The first rows' }).getByText('30 Jun 2026, 17:00 GMT-7').waitFor();
    await chooseFile(page, 'empty.csv', '');
    await page.getByText('The file is empty. Choose another one.').waitFor();
    // The same file would be empty again.
    expect(await button(page, 'Try again').count()).toBe(0);
    const remedy = button(page.getByRole('alert'), 'Choose another file');
    await Promise.all([page.waitForEvent('filechooser'), remedy.click()]);
  });

  it('exports selected posts, and no others in a new tab or by a changed address; with semicolons for Europe', async () => {
    const posts = await site.service.createAll([
      { title: 'Pulsar; one' },
      { title: 'Pulsar 2' },
      { title: 'Pulsar 3' },
    ]);
    const { page } = await site.open('posts?search=pulsar');
    for (const { title } of posts.slice(0, 2))
      await page.getByRole('checkbox', { name: `Select “${title}”` }).check();
    const link = page.getByRole('link', { name: 'Export…' }).last();
    const address = (await link.getAttribute('href'))!.replace('/admin/', '');
    const { page: tab } = await site.open(address);
    await tab.getByText('2 that were selected').waitFor();
    await tab.getByLabel('Format').selectOption('CSV with semicolons, for spreadsheets');
    const [download] = await Promise.all([tab.waitForEvent('download'), button(tab, 'Export').click()]);
    expect(download.suggestedFilename()).toMatch(/^posts-selected-2-.*\.csv$/);
    const text = await savedText(download);
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '\ufeffid;title;pub_date;body;export_fingerprint',
      expect.stringMatching(`^${posts[0]!.id};"Pulsar; one";`),
      expect.stringMatching(`^${posts[1]!.id};Pulsar 2;`),
    ]);
    await tab.goto(site.url('posts'));
    await tab.goto(site.url('export#id=all'));
    await tab.getByText('The address does not say which posts to export.').waitFor();
    expect(await button(tab, 'Export').count()).toBe(0);
  });

  it('exports all posts unchanged, and saves no file when the response is incomplete', async () => {
    const { page, complaints } = await site.open('export');
    const downloads: string[] = [];
    page.on('download', (download) => downloads.push(download.suggestedFilename()));
    complaints.allow('net::ERR_INTERNET_DISCONNECTED');
    await page.route('**/admin/api/exports/', (route) => route.abort('internetdisconnected'), { times: 1 });
    await button(page, 'Export').click();
    await page.getByText('No file was saved.').waitFor();
    await page.getByLabel('Format').selectOption('ndjson');
    // The end of a response over HTTP/1.0 whose connection broke.
    await page.route(
      '**/admin/api/exports/',
      async (route) => {
        const response = await route.fetch();
        const text = await response.text();
        await route.fulfill({ response, body: text.slice(0, text.lastIndexOf('\n', text.length - 2) + 9) });
      },
      { times: 1 },
    );
    await button(page, 'Export').click();
    const total = await site.service.count();
    await page.getByText(`The export broke off after ${total - 1} of ${total} posts.`).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
    await page.getByText(/posts are saved\.$/).waitFor();
    const all = await site.service.get('/posts/?ordering=id', { Accept: NDJSON });
    expect(downloads).toEqual([expect.stringMatching(/^posts-.*\.ndjson$/)]);
    const text = await savedText(download);
    expect(text.replaceAll(/,"export_fingerprint":"x[\da-f]{16}"/g, '')).toBe(all.text);
  });
});
