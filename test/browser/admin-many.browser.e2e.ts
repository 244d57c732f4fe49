import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { describeInBrowser } from '../support/browser.js';
import { button, told } from '../support/site-locators.js';

describeInBrowser('many posts in the administration site', () => {
  const site = adminSite();

  async function count(word: string): Promise<number> {
    const headers = { Prefer: 'count=exact' };
    const response = await site.request('GET', `/posts/?search=${word}&limit=1`, { headers });
    return Number(response.headers['x-total-count']);
  }

  const selectPage = (page: Page) =>
    page.getByRole('checkbox', { name: 'Select all posts on this page' }).check();

  /** Selects all rows of some pages of 200. */
  async function selectPages(page: Page, pages: number): Promise<void> {
    for (let first = 1; first < pages * 200; first += 200) {
      const range = [first, first + 199].map((row) => row.toLocaleString('en')).join('–');
      await page.getByText(`${range} of 1,300`).waitFor();
      await page.locator('table[aria-busy=false]').waitFor();
      await selectPage(page);
      await button(page, 'Next').click();
    }
  }

  it('are deleted, restored by Undo, restored from the log, and purged from the trash', async () => {
    await site.importPosts('crane', 2_000);
    const { page } = await site.open('posts?search=crane');
    await page.evaluate(`globalThis.said = [];
      new MutationObserver(() => {
        const texts = [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent);
        said.push(...texts);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    await selectPage(page);
    await button(page, 'Select all 2,000 matching posts').click();
    await button(page, 'Delete…').click();
    await page.getByLabel('Type 2,000 to confirm').fill('2000');
    await button(page, 'Delete 2,000 posts').click();
    await told(page, '2,000 posts were deleted.');
    const isSaid = (text: RegExp): Promise<boolean> =>
      page.evaluate(`said.some((text) => ${text}.test(text))`);
    expect(await isSaid(/Deleting: [1-9][\d,]* of 2,000/)).toBe(true);
    expect(await count('crane')).toBe(0);
    await button(page, 'Undo').click();
    await told(page, '2,000 posts were restored.');
    expect(await count('crane')).toBe(2_000);

    await selectPage(page);
    await button(page, 'Select all 2,000 matching posts').click();
    await button(page, 'Delete…').click();
    await page.getByLabel('Type 2,000 to confirm').fill('2,000');
    await button(page, 'Delete 2,000 posts').click();
    await told(page, '2,000 posts were deleted.');
    await page.getByRole('link', { name: 'Change log' }).click();
    await button(page, 'Restore these 2,000 posts').first().click();
    await told(page, '2,000 posts were restored.');
    expect(await count('crane')).toBe(2_000);

    const admin = await site.logIn();
    const deleteAll = async (): Promise<void> => {
      const deletion = await admin.send('POST', 'bulk-deletions/?search=crane', { count: 2_000 });
      expect(deletion.status).toBe(200);
    };
    const selectAllDeleted = async (): Promise<void> => {
      await page.getByText('1–50 of 2,000').waitFor();
      await selectPage(page);
      await button(page, 'Select all 2,000 matching posts').click();
    };
    await deleteAll();
    await page.getByRole('link', { name: 'Deleted posts' }).click();
    await selectAllDeleted();
    await button(page, 'Restore 2,000 posts').click();
    await page.getByText('There are no deleted posts.').waitFor();
    expect(await count('crane')).toBe(2_000);
    await deleteAll();
    await page.reload();
    await selectAllDeleted();
    await button(page, 'Delete for good…').click();
    await page.getByLabel('Type 2,000 to confirm').fill('2000');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await told(page, '2,000 posts were deleted for good.');
    await page.getByText('There are no deleted posts.').waitFor();
  });

  it('are selected page by page, exported and deleted', async () => {
    await site.importPosts('plover', 1_300);
    const { page } = await site.open('posts?search=plover&ordering=id&limit=200');
    await page.addInitScript('window.showSaveFilePicker = undefined;');
    await page.reload();
    await selectPages(page, 6);
    await told(page, '1,200 posts selected');
    await page.getByRole('link', { name: 'Export…' }).last().click();
    await page.getByLabel(/1,200 that were selected/).waitFor();
    await page.getByLabel(/^NDJSON/).check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    await told(page, '1,200 posts are saved.');
    expect((await readFile(await download.path(), 'utf8')).trimEnd().split('\n')).toHaveLength(1_200);

    await page.goto(site.url('posts?search=plover&ordering=id&limit=200'));
    await selectPages(page, 6);
    await button(page, 'Delete…').click();
    await button(page, 'Delete 1,200 posts').click();
    await told(page, '1,200 posts were deleted.');
    expect(await count('plover')).toBe(100);
  });
});
