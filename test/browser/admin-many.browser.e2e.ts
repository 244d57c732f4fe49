import type { Page, Route } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { describeInBrowser, savedText } from '../support/browser.js';
import { button, said, told } from '../support/site-locators.js';

const LIST = 'posts?search=plover&ordering=id&limit=100';

describeInBrowser('many posts in the administration site', () => {
  const site = adminSite();

  const count = (): Promise<number> => site.service.count('search=plover');

  const selectPage = (page: Page) =>
    page.getByRole('checkbox', { name: 'Select all posts on this page' }).check();

  async function selectAll(page: Page): Promise<void> {
    await selectPage(page);
    await button(page, 'Select all 1,300 matching posts').click();
  }

  /** Selects all rows of some pages of 100. */
  async function selectPages(page: Page, pages: number): Promise<void> {
    for (let first = 1; first < pages * 100; first += 100) {
      const range = [first, first + 99].map((row) => row.toLocaleString('en')).join('–');
      await page.getByText(`${range} of 1,300`).waitFor();
      await page.locator('table[aria-busy=false]').waitFor();
      await selectPage(page);
      await button(page, 'Next').click();
    }
  }

  it('are selected, exported, deleted, restored by Undo, the log and the trash, and purged', async () => {
    await site.importPosts('plover', 1_300);
    const { page } = await site.open(LIST);
    await page.evaluate(`globalThis.said = [];
      new MutationObserver(() => {
        const texts = [...document.querySelectorAll('[aria-label=Notice]')].map(({ textContent }) => textContent);
        said.push(...texts);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    await selectPages(page, 12);
    await said(page, '1,200 posts selected');
    await button(page, 'Delete…').click();
    const asksToStay = () => page.evaluate(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`);
    let askedToStay: unknown;
    const askMeanwhile = async (route: Route): Promise<void> => {
      askedToStay = await asksToStay();
      await route.continue();
    };
    await page.route('**/bulk-deletions/', askMeanwhile, { times: 1 });
    await button(page, 'Delete 1,200 posts').click();
    await told(page, '1,200 posts were deleted.');
    expect([askedToStay, await asksToStay()]).toEqual([true, false]);
    expect(await page.evaluate('said.some((text) => /Deleting: [1-9][0-9,]* of 1,200/.test(text))')).toBe(
      true,
    );
    // The button that opened the dialog was removed with the selection, so the heading gets the focus.
    await page.locator('h1:focus').waitFor();
    expect(await count()).toBe(100);
    await button(page, 'Undo').press('Enter');
    await told(page, '1,200 posts were restored.');
    await page.locator('h1:focus').waitFor();
    expect(await count()).toBe(1_300);

    await page.goto(site.url(LIST));
    await selectPages(page, 4);
    await page.getByRole('link', { name: 'Export…' }).last().click();
    await page.getByText('400 that were selected').waitFor();
    // The address has them: a reload, a copy of it or another tab never export more.
    await page.reload();
    await page.getByText('400 that were selected').waitFor();
    await page.getByLabel('Format').selectOption('ndjson');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    await said(page, '400 posts are saved.');
    expect((await savedText(download)).trimEnd().split('\n')).toHaveLength(400);

    await page.goto(site.url('posts?search=plover'));
    await selectAll(page);
    await button(page, 'Delete…').click();
    await page.getByLabel('Type 1,300 to confirm').fill('1300');
    await button(page, 'Delete 1,300 posts').click();
    await told(page, '1,300 posts were deleted.');
    await page.getByRole('link', { name: 'Change log' }).click();
    await button(page, 'Restore these 1,300 posts').click();
    await told(page, '1,300 posts were restored.');
    expect(await count()).toBe(1_300);

    const admin = await site.logIn();
    const deleteAll = () => admin.send('POST', 'bulk-deletions/?search=plover', { count: 1_300 });
    expect((await deleteAll()).status).toBe(200);
    await page.getByRole('link', { name: 'Deleted posts' }).click();
    await page.getByText('1–50 of 1,300').waitFor();
    await selectAll(page);
    await button(page, 'Restore 1,300 posts').click();
    await page.getByText('There are no deleted posts.').waitFor();
    expect(await count()).toBe(1_300);
    expect((await deleteAll()).status).toBe(200);
    await page.reload();
    await page.getByText('1–50 of 1,300').waitFor();
    await selectAll(page);
    await button(page, 'Delete for good…').click();
    const dialog = page.getByRole('dialog', { name: 'Delete 1,300 posts for good?' });
    await dialog.getByLabel('Type 1,300 to confirm').fill('13');
    expect(await button(dialog, 'Delete for good').isDisabled()).toBe(true);
    await dialog.getByLabel('Type 1,300 to confirm').fill('1,300');
    await button(dialog, 'Delete for good').click();
    await told(page, '1,300 posts were deleted for good.');
    await page.getByText('There are no deleted posts.').waitFor();
  });
});
