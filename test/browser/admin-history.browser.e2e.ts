import type { Locator } from 'playwright-core';
import { type AdminClient, tryLogIn } from '../support/admin.js';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { button, heading, row, told } from '../support/site-locators.js';
import { poll } from '../support/until.js';

describeInBrowser('the history in the administration site', () => {
  const site = adminSite();
  let admin: AdminClient;

  beforeAll(async () => {
    admin = await site.logIn();
  });

  async function change(id: number, json: Partial<PostJson>): Promise<void> {
    const response = await admin.send('PUT', `/posts/${id}/`, json);
    expect(response.status).toBe(200);
  }

  /** Creates a post and updates it once for each further body. */
  async function postWithBodies(title: string, [first, ...others]: readonly string[]) {
    const post = await site.service.create({ title, body: first! });
    for (const body of others) await change(post.id, { title, body });
    return post;
  }

  describe('of a post', () => {
    it('shows the last change, and what changed in each version', async () => {
      const bodies = ['One\nTwo words\n', 'One\nTwo things\n', 'One\n<b>x</b>\n'];
      const { id } = await postWithBodies('A walk', bodies);
      const { page, complaints } = await site.open(`posts/${id}/history`);
      const compared = (from: number, to: number): Promise<void> =>
        page.getByRole('heading', { level: 2, name: `From version ${from} to version ${to}` }).waitFor();
      await heading(page, 'History of “A walk”').waitFor();
      await compared(2, 3);
      // Bodies are shown as text, not as HTML.
      await page.getByRole('insertion').getByText('<b>x</b>').waitFor();
      await poll(() => page.getByRole('deletion').allTextContents()).toEqual(['Removed: Two things']);
      const cells = ['Changed', 'admin', expect.any(String), 'A walk', 'What changed'];
      await poll(() => row(page, '3 (current)').getByRole('cell').allInnerTexts()).toEqual(cells);
      await row(page, '1').getByText('API, without a token').waitFor();

      await button(row(page, '2'), 'What changed version 2').click();
      await compared(1, 2);
      await poll(() => page.evaluate('document.activeElement.textContent')).toBe(
        'From version 1 to version 2',
      );
      await poll(() => page.locator('mark').allInnerTexts()).toEqual(['words', 'things']);
      await page.reload();
      await compared(1, 2);
      await button(row(page, '1'), 'What changed version 1').click();
      await page.getByRole('heading', { level: 2, name: 'Version 1' }).waitFor();
      await page.getByText('One\nTwo words').waitFor();

      // On paper, it has the same colours and signs, all columns, and no buttons.
      await page.goto(site.url(`posts/${id}/history`));
      await compared(2, 3);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.locator('.removed', { hasText: '−Removed: Two things' }).waitFor();
      const styleOf = (name: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector('.removed')).${name}`);
      await poll(() => styleOf('printColorAdjust')).toBe('exact');
      await poll(() => styleOf('backgroundColor')).toMatch(/^rgba\(179, 38, 30, /);
      const headers = page.getByRole('columnheader');
      await poll(() => headers.allInnerTexts()).toEqual(['Version', 'What', 'Who', 'When', 'Title']);
      await poll(() => page.getByRole('button').count()).toBe(0);
      // A4, upright.
      await page.setViewportSize({ width: 718, height: 1047 });
      const width = (locator: Locator): Promise<number> =>
        locator.evaluate((element) => element.scrollWidth - element.clientWidth);
      await poll(() => width(page.locator('html'))).toBe(0);
      await poll(() => width(page.getByRole('table').locator('..'))).toBe(0);
      await page.emulateMedia({ media: null, colorScheme: null });

      complaints.allowRefusals(404);
      await page.goto(site.url('posts/987654/history'));
      await page.getByText('There has never been a post with this id').waitFor();
    });

    it('restores a version only if the post has not changed since it was shown', async () => {
      const post = await postWithBodies('To be restored', ['The first.', 'The second.']);
      const { page, complaints } = await site.open(`posts/${post.id}/history`);
      const restore = async (): Promise<void> => {
        await button(page, 'Restore version 1').click();
        await button(page.getByRole('dialog'), 'Restore').click();
      };
      await row(page, '2 (current)').waitFor();
      await change(post.id, { title: post.title, body: 'Changed by another user.' });
      complaints.allowRefusals(412);
      await restore();
      await page.getByText('The post was changed meanwhile.').waitFor();
      expect((await site.read(post)).body).toBe('Changed by another user.');

      await row(page, '3 (current)').waitFor();
      await restore();
      await told(page, 'Version 1 is restored.');
      await row(page, '4 (current)').waitFor();
      expect(await site.read(post)).toEqual(post);
    });
  });

  it('finds deleted posts, restores and deletes them for good, and logs each action as one row', async () => {
    const titles = ['Lost: one', 'Lost: two', 'Kept away'];
    const posts = await site.service.createAll(titles.map((title) => ({ title })));
    const ids = posts.map(({ id }) => id);
    expect((await admin.send('POST', 'bulk-deletions/', { ids })).status).toBe(200);
    const { page } = await site.open('changes');
    const deleted = row(page, /^3 posts/).filter({ hasText: 'Deleted' });
    await button(deleted, /^3 posts/).click();
    await deleted.getByRole('link', { name: 'Lost: two' }).waitFor();
    await poll(() => deleted.getByRole('listitem').count()).toBe(3);

    await page.getByRole('link', { name: 'Deleted posts' }).click();
    await page.getByRole('columnheader', { name: 'Date of publication' }).waitFor();
    await row(page, /Kept away/).waitFor();
    await page.getByLabel('Search in titles').fill('lost');
    await page.keyboard.press('Enter');
    await page.waitForURL(site.url('deleted-posts?search=lost'));
    await row(page, /Kept away/).waitFor({ state: 'detached' });
    await page.getByLabel('Select all posts on this page').check();
    await button(page, 'Restore 2 posts').click();
    await told(page, '2 posts were restored.');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.locator('h1:focus').waitFor();
    for (const post of posts.slice(0, 2)) expect(await site.read(post)).toEqual(post);
    await button(page, 'Clear filters').first().click();
    const kept = row(page, /Kept away/);
    await kept.getByText(`Post ${ids[2]}`).waitFor();

    await kept.getByRole('checkbox').check();
    await button(page, 'Restore 1 post').waitFor();
    // With the keyboard alone.
    const purge = button(page, 'Delete for good “Kept away”');
    await purge.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this post for good?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus').getByText('Delete for good').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await told(page, '1 post was deleted for good.');
    await purge.waitFor({ state: 'detached' });
    await button(page, 'Restore 1 post').waitFor({ state: 'detached' });
    // The button that opened the dialog was removed with its row, so the heading gets the focus.
    await page.locator('h1:focus').waitFor();
    await page.getByRole('link', { name: 'Change log' }).click();
    await row(page, `Post ${ids[2]}`).getByText('Deleted for good', { exact: true }).waitFor();
  });

  describe('in the change log', () => {
    it('groups failed log-ins, shows tokens and exports, and filters by action', async () => {
      await admin.makeToken({ name: 'Nightly', role: 'viewer' });
      for (let count = 0; count < 3; count++) await tryLogIn(site.service, 'admin', 'not it', {});
      await site.service.create({ title: 'Sextant' });
      await admin.send('POST', 'exports/?search=sextant', { format: 'csv' });
      const { page } = await site.open('changes');
      const refused = row(page, 'admin').filter({ hasText: 'Log-in refused' });
      await refused.getByText('× 3').waitFor();
      await refused.getByText('from 127.0.0.1').waitFor();
      await row(page, 'Nightly').getByText('Token created').waitFor();
      await row(page, 'Nightly').getByText('viewer').waitFor();
      await page.getByText('CSV, 1 post, search=sextant').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByLabel('Action').selectOption('Log-in refused');
      await row(page, 'Nightly').waitFor({ state: 'detached' });
      await page.getByText('1 of 1', { exact: true }).waitFor();
    });

    it('is found by parts of names and the parameters in the address, and leads to what has changed', async () => {
      const { id } = await site.service.create({ title: 'Weathervane' });
      await change(id, { title: 'Weathercock', body: 'New.' });
      await admin.send('POST', `posts/${id}/revisions/1/restorations/`, { newest: 2 });
      const { page, complaints } = await site.open(`changes?post_id=${id}`);
      const whats = async (): Promise<string[]> => {
        const cells = await page.getByRole('row').getByRole('cell').allInnerTexts();
        return cells.filter((_, index) => index % 3 === 0);
      };
      await poll(whats).toEqual(['Restored', 'Changed', 'Created']);
      await page.getByRole('combobox', { name: 'Action' }).selectOption('Created');
      await page.getByLabel('From', { exact: true }).fill('0202-01-01');
      await page.waitForURL(/after=0202/);
      const entries = await page.evaluate('history.length');
      await page.getByLabel('From', { exact: true }).fill('2020-01-01');
      await poll(whats).toEqual(['Created']);
      await poll(() => new URL(page.url()).search).toBe(
        `?post_id=${id}&action=created&after=2020-01-01&zone=Europe%2FVienna`,
      );
      expect(await page.evaluate('history.length')).toBe(entries);
      await page.getByLabel('To', { exact: true }).fill('2020-01-02');
      await page.getByText('Nothing matches these filters.').waitFor();
      await button(page, 'Clear filters').first().click();
      await page.getByLabel('Author').fill('dmi');
      await page.getByLabel('About').fill('eatherv');
      await page.getByText('1 of 1', { exact: true }).waitFor();
      const restored = row(page, /^Weathervane/);
      await restored.getByText('Restored', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'What changed in “Weathervane”' }).click();
      await page.getByRole('heading', { level: 2, name: 'From version 2 to version 3' }).waitFor();
      await poll(() => page.getByRole('deletion').first().innerText()).toMatch(/Weathercock/);

      // A fault of the service stands at its field.
      complaints.allowRefusals(400);
      await page.goto(site.url('changes?post_id=seven'));
      const filter = page.getByRole('searchbox', { name: 'Post id' });
      await poll(() => filter.getAttribute('aria-invalid')).toBe('true');
      const help = page.locator(`[id="${await filter.getAttribute('aria-describedby')}"]`);
      await help.getByText(/must be/).waitFor();
      expect(await page.getByText('nothing was changed').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);
    });

    it('is divided into pages, as the history, which has the newest title on each', async () => {
      const bodies = Array.from({ length: 50 }, (_, n) => `${n}`);
      const { id } = await postWithBodies('Changed often', bodies);
      await change(id, { title: 'Renamed', body: '' });
      const { page } = await site.open(`changes?post_id=${id}`);
      await button(page, 'Next').click();
      await page.getByText('51 of 51').waitFor();
      await page.goto(site.url(`posts/${id}/history`));
      await button(page, 'Next').click();
      await row(page, /^1$/).waitFor();
      await heading(page, 'History of “Renamed”').waitFor();
    });
  });
});
