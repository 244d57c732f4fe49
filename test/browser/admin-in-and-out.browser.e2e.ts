import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { poll } from '../support/until.js';

const NDJSON = 'application/x-ndjson';

/** Simulates a browser without the File System Access API. */
const WITHOUT_PICKER = 'window.showSaveFilePicker = undefined;';

/** Writes into the page instead of a file, because a test cannot use the file picker. */
const WITH_PICKER = `window.written = { text: '', isClosed: false, isAborted: false };
  window.showSaveFilePicker = async ({ suggestedName }) => ({
    createWritable: async () => ({
      write: async (data) => { written.name = suggestedName; written.text += await new Blob([data]).text(); },
      close: async () => { written.isClosed = true; },
      abort: async () => { written.isAborted = true; },
    }),
  });`;

describeInBrowser('import and export in the administration site', () => {
  const site = adminSite();

  /** The posts that a search finds, lowest id first. */
  async function found(search: string): Promise<PostJson[]> {
    return (await site.request('GET', `/posts/?search=${search}&ordering=id`)).json<PostJson[]>();
  }

  async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
    const buffer = Buffer.from(content as string);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });
    await page.getByText(`${name}, ${buffer.length} bytes`).waitFor();
  }

  const cells = (page: Page, table: string) =>
    page.getByRole('table', { name: table }).getByRole('row').getByRole('cell').allTextContents();

  /** Waits until the focus has moved from a removed or disabled button to this text. */
  const focused = (page: Page, text: string): Promise<void> =>
    page.locator('main div:focus', { hasText: text }).waitFor();

  const check = (page: Page): Promise<void> => page.getByRole('button', { name: 'Check the file' }).click();

  it('imports CSV: detects the columns, lists the faulty lines, and stores the fixed file', async () => {
    const { page } = await site.open('import');
    const rows = [
      '"Meteor one";32.11.2026;"line 1\r\nline 2";7',
      ';2026-11-20;"no title";8',
      'Meteor short;2026-11-20',
      "Meteor two;2026-11-20 15:40:00.123456+01:00;'=1+1;9",
    ];
    const csv = (lines: readonly string[]): string =>
      `\ufeffHeadline;Published;Content;Id\r\n${lines.join('\r\n')}\r\n`;
    await chooseFile(page, 'posts.csv', csv(rows));
    const chosen = (name: string) =>
      page.getByRole('combobox', { name }).locator('option:checked').innerText();
    expect([
      await chosen('Cells are separated by'),
      await chosen('Title'),
      await chosen('Date of publication'),
      await chosen('Body'),
    ]).toEqual(['Semicolon', 'Headline (column 1)', 'Published (column 2)', 'Content (column 3)']);
    await poll(() => cells(page, 'The first rows of the file')).toHaveLength(12);

    await check(page);
    await page.getByRole('alert').getByText('Nothing can be imported until these faults').waitFor();
    await focused(page, 'Nothing can be imported until these faults');
    const faults = page.getByRole('table', { name: 'Faults of the file' });
    await poll(() => faults.getByRole('rowheader').allInnerTexts()).toEqual(['2', '4', '5']);
    expect((await faults.getByRole('row').nth(2).getByRole('cell').allInnerTexts())[0]).toBe('Title');
    expect(await barriersOf(page)).toEqual([]);
    expect(await found('meteor')).toEqual([]);

    await chooseFile(
      page,
      'fixed.csv',
      csv(rows.with(0, rows[0]!.replace('32.11.2026', '20.11.2026 14:40')).toSpliced(1, 2)),
    );
    // The page reads the rows again first, so the box follows the click with a delay.
    await page.getByLabel(/^Remove the apostrophe/).click();
    await page.getByRole('checkbox', { name: /^Remove the apostrophe/, checked: true }).waitFor();
    await check(page);
    await page.getByText('2 posts are ready to be imported.').waitFor();
    expect(await found('meteor')).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 posts' }).click();
    await page.getByText('2 posts are imported.').waitFor();
    await focused(page, '2 posts are imported.');
    expect(await found('meteor')).toEqual([
      expect.objectContaining({
        title: 'Meteor one',
        body: 'line 1\r\nline 2',
        pub_date: '2026-11-20T13:40:00.000Z',
      }),
      expect.objectContaining({
        title: 'Meteor two',
        body: '=1+1',
        pub_date: '2026-11-20T14:40:00.123456Z',
      }),
    ]);
    await page.getByRole('link', { name: 'Change log' }).click();
    await page.getByRole('row').filter({ hasText: 'Imported' }).filter({ hasText: 'admin' }).waitFor();
  });

  it('asks for an unknown title column, and detects Windows-1252', async () => {
    const { page } = await site.open('import');
    await chooseFile(page, 'latin.csv', Buffer.from('Überschrift\tText\nGrüße aus Ödenburg\tx\n', 'latin1'));
    await page.getByText('The file is not UTF-8 but seems to be Windows-1252.').waitFor();
    await page.getByRole('cell', { name: 'Grüße aus Ödenburg' }).waitFor({ state: 'detached' });
    const encoding = page.getByRole('combobox', { name: 'Characters are encoded as' });
    await poll(() => encoding.inputValue()).toBe('windows-1252');
    await check(page);
    await page.getByText('Choose the column that has the titles.').waitFor();
    await page.getByRole('combobox', { name: 'Title' }).selectOption('Überschrift (column 1)');
    await check(page);
    await page.getByText('1 post is ready to be imported.').waitFor();
  });

  it('asks for the order of day and month in ambiguous dates, and for their time zone', async () => {
    const { page } = await site.open('import');
    await chooseFile(page, 'ambiguous.csv', 'title,date\nQuasar,1/2/2026 14:40\n');
    await page.getByText('do not show whether the day or the month comes first').waitFor();
    await check(page);
    const order = page.getByRole('combobox', { name: 'Dates are written' });
    await poll(() => order.getAttribute('aria-invalid')).toBe('true');
    await order.selectOption('Day, month, year: 31.12.2026');
    await page.getByRole('cell', { name: '1 Feb 2026, 14:40 CET' }).waitFor();
    await page.getByLabel('Time zone of dates without one').selectOption('America/New_York');
    await page.getByRole('cell', { name: '1 Feb 2026, 20:40 CET' }).waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await check(page);
    await page.getByRole('button', { name: 'Import 1 post' }).click();
    await page.getByText('1 post is imported.').waitFor();
    expect(await found('quasar')).toEqual([
      expect.objectContaining({ pub_date: '2026-02-01T19:40:00.000Z' }),
    ]);
  });

  it('imports an export once, although the first response is lost', async () => {
    await site.create({ title: 'Comet', body: '=1\r\n😀' });
    const exported = await site.request('GET', '/posts/?search=comet', { headers: { Accept: NDJSON } });
    const { page, complaints } = await site.open('import');
    await chooseFile(page, 'posts.ndjson', exported.text);
    await check(page);
    complaints.allowOffline();
    let tries = 0;
    await page.route('**/posts/', async (route) => {
      const response = await route.fetch();
      if (tries++ === 0) await route.abort('internetdisconnected');
      else await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Import 1 post' }).click();
    await page.getByText('it is not known whether the posts were imported').waitFor();
    expect(await found('comet')).toHaveLength(2);
    await page.getByRole('button', { name: 'Import 1 post' }).click();
    await page.getByText('1 post is imported.').waitFor();
    const [original, copy] = await found('comet');
    expect(copy).toEqual({ ...original!, id: copy!.id });
    expect(await found('comet')).toHaveLength(2);
  });

  it('says that a chosen file has changed on the disk, and takes the corrected one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'import-'));
    const path = join(folder, 'posts.ndjson');
    await writeFile(path, '{"title":"","body":""}\n');
    const { page, complaints } = await site.open('import');
    await page.locator('input[type=file]').setInputFiles(path);
    await page.getByText('posts.ndjson, 23 bytes').waitFor();
    await check(page);
    await page.getByRole('alert').getByText('Nothing can be imported until these faults').waitFor();
    await writeFile(path, '{"title":"Corrected on the disk","body":""}\n');
    complaints.allowFileChanges();
    await check(page);
    await page.getByText('The file has changed on the disk since you chose it. Choose it again.').waitFor();
    await page.locator('input[type=file]').setInputFiles(path);
    await check(page);
    await page.getByText('1 post is ready to be imported.').waitFor();
    await rm(folder, { recursive: true });
  });

  it('says what to do with a workbook, and undoes an import from the log', async () => {
    const { page } = await site.open('import');
    const buffer = Buffer.from('504b030414000600', 'hex');
    await page.locator('input[type=file]').setInputFiles({ name: 'posts.xlsx', mimeType: '', buffer });
    await page.getByText('Save it there as CSV, and choose the CSV file.').waitFor();
    await chooseFile(page, 'none.csv', 'Quark 1,x\nQuark 2,y\n');
    await page.getByText('The first row has no known names of columns').waitFor();
    await chooseFile(page, 'quarks.csv', 'title,body\nQuark 1,x\nQuark 2,y\n');
    await check(page);
    await page.getByRole('button', { name: 'Import 2 posts' }).click();
    await page.getByText('2 posts are imported.').waitFor();
    await page.getByRole('link', { name: 'Change log' }).click();
    await page.getByRole('button', { name: 'Undo the import…' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('2 posts were deleted.').waitFor();
    expect(await found('quark')).toEqual([]);
  });

  it('exports the filtered list as CSV, with formulas as text', async () => {
    const [first, second] = [
      await site.create({ title: '=HYPERLINK("x") planet', body: 'a,"b"\r\nc' }),
      await site.create({ title: 'Planet 2', body: '-1' }),
    ];
    const { page } = await site.open('posts?search=planet&ordering=id');
    await page.addInitScript(WITHOUT_PICKER);
    await page.reload();
    await page.getByRole('link', { name: 'Export…' }).click();
    await page.getByLabel(/^Posts of the list: with the words “planet”/).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^posts-\d{4}-\d\d-\d\d\.csv$/);
    await page.getByText('2 posts are saved.').waitFor();
    await focused(page, '2 posts are saved.');
    const text = await readFile(await download.path(), 'utf8');
    expect(text.split('\r\n').toSorted()).toEqual(
      [
        '\ufeffid,title,pub_date,body',
        `${first.id},"'=HYPERLINK(""x"") planet",${first.pub_date},"a,""b""`,
        'c"',
        `${second.id},Planet 2,${second.pub_date},'-1`,
        '',
      ].toSorted(),
    );
  });

  it('exports all posts unchanged to the chosen file', async () => {
    const { page } = await site.open('export');
    await page.addInitScript(WITH_PICKER);
    await page.reload();
    await page.getByLabel('NDJSON, for programs').check();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText(/posts are saved\.$/).waitFor();
    const all = await site.request('GET', '/posts/?ordering=id', { headers: { Accept: NDJSON } });
    await poll(() => page.evaluate('window.written')).toEqual({
      name: expect.stringMatching(/^posts-.*\.ndjson$/),
      text: all.text,
      isClosed: true,
      isAborted: false,
    });
  });

  it('saves no file when the response is incomplete', async () => {
    const { page, complaints } = await site.open('export');
    await page.addInitScript(WITH_PICKER);
    await page.reload();
    complaints.allowOffline();
    await page.route('**/admin/api/exports/', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('No file was saved.').waitFor();
    await poll(() => page.evaluate('[written.isClosed, written.isAborted]')).toEqual([false, true]);
  });
});
