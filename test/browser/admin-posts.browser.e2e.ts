import type { Locator, Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { bodyField, button, heading, said, setOffline, titleField, told } from '../support/site-locators.js';
import { poll } from '../support/until.js';

describeInBrowser('the posts of the administration site', () => {
  const site = adminSite();

  /** The titles of the rows, once there are this many. */
  async function titles(page: Page, count: number): Promise<string[]> {
    const rows = page.getByRole('table').getByRole('rowheader').getByRole('link');
    await rows.nth(count - 1).waitFor();
    return rows.allInnerTexts();
  }

  describe('the list', () => {
    it('shows title, date and excerpt, and keeps its filters and its order in the address', async () => {
      await site.service.create({
        title: 'Heron A',
        pub_date: '2024-02-29T22:30:00Z',
        body: 'By  the\nriver.',
      });
      // In the browser's time zone, February begins an hour earlier than in UTC.
      await site.service.create({
        title: 'Heron B',
        pub_date: '2024-01-31T23:00:00Z',
        body: 'x'.repeat(300),
      });
      await site.service.create({ title: 'Heron C', pub_date: '2024-03-01T00:00:00Z' });
      const { page } = await site.open('posts');
      await page.getByLabel('Search title and body').fill('heron');
      await page.waitForURL(/\?search=heron/);
      await poll(() => titles(page, 3)).toEqual(['Heron C', 'Heron A', 'Heron B']);
      await page.getByText('By the river.', { exact: true }).waitFor();
      await page.getByText('29 Feb 2024, 23:30 CET').waitFor();

      await page.getByLabel('From', { exact: true }).fill('2024-02-01');
      await page.getByLabel('To', { exact: true }).fill('2024-02-29');
      await said(page, '1–2 of 2');
      await button(page, 'Title').click();
      await page.getByLabel('Rows per page').selectOption('10');
      const days = 'from=2024-02-01&zone=Europe%2FVienna&to=2024-02-29';
      const address = `posts?search=heron&${days}&ordering=title&limit=10`;
      await page.waitForURL(site.url(address));

      // The same posts in every time zone.
      const { page: far } = await site.open(address, { timezoneId: 'Pacific/Auckland' });
      await poll(() => titles(far, 2)).toEqual(['Heron A', 'Heron B']);
      await far.getByLabel('From (Europe/Vienna)', { exact: true }).waitFor();
      const { page: other } = await site.open(address);
      await poll(() => titles(other, 2)).toEqual(['Heron A', 'Heron B']);
      await poll(() => other.getByRole('columnheader').allInnerTexts()).toEqual([
        '',
        'Title',
        'Date of publication',
        'Last changed',
        'Excerpt',
        'Actions',
      ]);
      expect(await other.getByLabel('From', { exact: true }).inputValue()).toBe('2024-02-01');
      expect(await barriersOf(other)).toEqual([]);
      await button(other, 'Clear filters').press('Enter');
      // The button has gone.
      await other.locator('[type=search]:focus').waitFor();
      await other.waitForURL(site.url('posts?ordering=title&limit=10'));
      // An address without a view has the default one, and asks for it once.
      const asked: string[] = [];
      other.on('request', (request) => {
        if (/\/posts\/\?.*\blimit=25\b/.test(request.url())) asked.push(request.url());
      });
      await other.getByRole('link', { name: 'Posts', exact: true }).first().click();
      await poll(() => other.getByLabel('Rows per page').inputValue()).toBe('25');
      await other.getByText('By the river.', { exact: true }).waitFor();
      expect(asked).toHaveLength(1);
    });

    it('shows its position after the rows of a page were deleted, and then the page before', async () => {
      await site.importPosts('Vanishing', 13);
      const { page } = await site.open('posts?search=vanishing&limit=10');
      const deletePage = async (): Promise<void> => {
        await page.getByLabel('Select all posts on this page').click();
        await button(page, 'Delete…').click();
        await button(page.getByRole('dialog'), /^Delete/).click();
      };
      await button(page, 'Next').click();
      await said(page, '11–13 of 13');
      // A row of the page before: the position in the address is late by one.
      const [first] = await site.service.find('search=vanishing&ordering=-pub_date');
      await site.service.delete(`/posts/${first!.id}/`);
      await page.reload();
      await said(page, '10–12 of 12');
      await deletePage();
      await said(page, '1–9 of 9');
      await page.getByRole('link', { name: 'Vanishing 12' }).waitFor();
      await page.locator('h1:focus').waitFor();
    });

    it('does not wait for the count, says why it is empty, and loads again after a failure or without a network', async () => {
      const { page, complaints } = await site.open('', { offline: false });
      complaints.allowRefusals(503);
      complaints.allow('net::ERR_INTERNET_DISCONNECTED');
      const search = page.getByLabel('Search title and body');
      await page.route(/\/posts\/\?/, async (route) => {
        if (route.request().headers()['prefer'] === undefined) await route.continue();
      });
      await site.service.createAll([
        { title: 'Egret A', body: 'Pond A' },
        { title: 'Egret B', body: 'Pond B' },
      ]);
      await page.goto(site.url('posts?search=egret'));
      await poll(() => titles(page, 2)).toHaveLength(2);
      await page.getByText('1–2, counting…').waitFor();
      await page.unroute(/\/posts\/\?/);
      await search.fill('nothinghasthis');
      await page.getByText('Nothing matches these filters.').waitFor();
      const json = { errors: [{ detail: 'It is out of order.', parameter: 'engine' }] };
      await page.route(/\/posts\/\?/, (route) => route.fulfill({ status: 503, json }), { times: 2 });
      await search.fill('egret');
      await page.getByText(/It is out of order\.$/).waitFor();
      expect(await page.getByText('engine').count()).toBe(0);
      await button(page, 'Try again').click();
      await poll(() => titles(page, 2)).toHaveLength(2);
      await setOffline(page, true);
      await search.fill('egret pond a');
      await page.getByText('This browser is offline.').waitFor();
      await setOffline(page, false);
      await poll(() => titles(page, 1)).toEqual(['Egret A']);
    });

    it('sorts by title in both orders, and keeps its position in the editor, which names the authors', async () => {
      const sorted = ['Ibis', 'Ibis, Bald', 'École'];
      await site.service.createAll(sorted.map((title) => ({ title, body: 'collated' })));
      const { page } = await site.open('posts?search=collated');
      const byTitle = page.getByRole('columnheader', { name: 'Title' }).getByRole('button');
      await byTitle.click();
      await poll(() => titles(page, 3)).toEqual(sorted);
      await byTitle.click();
      await poll(() => titles(page, 3)).toEqual(sorted.toReversed());
      await page.getByRole('link', { name: 'École' }).click();
      await page.getByText(/^Post \d+ · created .* by API, without a token$/).waitFor();
      await bodyField(page).fill('Collated and changed.');
      await page.keyboard.press('Control+s');
      await page.getByText(/ · changed .* by admin$/).waitFor();
      await page.getByRole('link', { name: 'All posts' }).click();
      await page.waitForURL(site.url('posts?search=collated&ordering=-title'));
    });

    it('finds a post by # and its number, and highlights matches', async () => {
      const body = 'The captain is called Winterbottom.';
      const { id } = await site.service.create({ title: 'Änderung im März', body });
      const { page } = await site.open('posts?search=winterbottom');
      await page.getByRole('cell', { name: body }).waitFor();
      await poll(() => page.locator('mark').allInnerTexts()).toEqual(['Winterbottom']);
      const search = page.getByLabel('Search title and body');
      await search.fill(`#${id}`);
      await page.getByText('1 of 1', { exact: true }).waitFor();
      await page.getByRole('rowheader', { name: 'Änderung im März' }).waitFor();
      await search.fill('anderung mar');
      await page.getByText('1 of 1', { exact: true }).waitFor();
      await poll(() => page.locator('mark').allInnerTexts()).toEqual(['Änderung', 'März']);
    });
  });

  describe('a conflict', () => {
    it('asks about each conflict, line by line, keeps all other changes of both users, and loses no later save', async () => {
      const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
      const text = (changed: Readonly<Record<number, string>> = {}): string =>
        lines.map((line, index) => changed[index] ?? line).join('\n');
      const post = await site.service.create({
        title: 'Ours',
        body: text(),
        pub_date: '2026-01-01T00:00:00.123456Z',
      });
      const saveTheirs = (title: string) => {
        const body = text({ 3: 'their line 3', 10: 'their line 10', 30: 'their line 30' });
        return site.service.put(post.path, { title, body });
      };
      const { page, complaints } = await site.open(`posts/${post.id}`);
      complaints.allowRefusals(412);
      await titleField(page).fill('Mine');
      await bodyField(page).fill(text({ 3: 'my line 3', 20: 'my line 20', 30: 'my line 30' }));
      await saveTheirs('Theirs');
      await button(page, 'Save').click();

      const dialog = page.getByRole('dialog', { name: 'This post was changed by another user' });
      const side = (field: string, name: string): Locator =>
        dialog.getByRole('radiogroup', { name: field }).getByRole('radio', { name, exact: true });
      await dialog.getByText('Decide about 3 conflicts.').waitFor();
      for (const name of ['Mine', 'Theirs']) expect(await side('Title', name).isChecked()).toBe(false);
      await poll(() => button(dialog, 'Save this').isDisabled()).toBe(true);
      await poll(() => dialog.getByRole('insertion').allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining('Mine'), expect.stringContaining('Theirs')]),
      );
      expect(await barriersOf(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 3000 });
      await poll(async () => (await dialog.boundingBox())!.height).toBe(3000);
      expect((await button(dialog, 'Mine everywhere').boundingBox())!.height).toBeLessThan(50);
      await page.setViewportSize({ width: 1280, height: 900 });
      await button(dialog, 'Mine everywhere').click();
      await side('Body, conflict 1 of 2', 'Mine').check();
      await side('Body, conflict 2 of 2', 'Mine, then theirs').check();
      // A click beside the dialog keeps the choices.
      await page.mouse.click(5, 5);

      // The other user saves again before this choice is saved. Their change must not be lost.
      await saveTheirs('Theirs again');
      await button(dialog, 'Save this').click();
      await dialog.getByText('Theirs again').waitFor();
      await poll(() => side('Title', 'Mine').isChecked()).toBe(false);
      await button(dialog, 'Theirs everywhere').click();
      await button(dialog, 'Merge and continue editing').click();
      await dialog.waitFor({ state: 'hidden' });
      await poll(() => titleField(page).inputValue()).toBe('Theirs again');
      await button(page, 'Save').click();
      await told(page, '“Theirs again” was saved.');
      const both = 'my line 30\ntheir line 30';
      const body = text({ 3: 'my line 3', 10: 'their line 10', 20: 'my line 20', 30: both });
      expect(await site.read(post)).toEqual({ ...post, title: 'Theirs again', body });
    });

    it('with a deletion keeps the text, which is saved as a new post, or after the post is restored', async () => {
      const post = await site.service.create({ title: 'Gone', body: 'Before.' });
      const { page, complaints } = await site.open(`posts/${post.id}`);
      complaints.allowRefusals(404, 412);
      await bodyField(page).fill('After.');
      await site.service.delete(post.path);
      await page.keyboard.press('Control+s');
      await page.getByText('This post was deleted meanwhile.').waitFor();
      const admin = await site.logIn();
      await admin.send('POST', 'restorations/', { ids: [post.id] });
      await page.keyboard.press('Control+s');
      await button(page.getByRole('dialog'), 'Save this').click();
      await told(page, '“Gone” was saved.');
      expect(await site.read(post)).toEqual({ ...post, body: 'After.' });

      await titleField(page).fill('Gone again');
      await site.service.delete(post.path);
      await button(page, 'Save').click();
      await button(page, 'Save as a new post').click();
      await told(page, '“Gone again” was added.');
      const [created] = await site.service.find('title=Gone%20again');
      expect(created!.id).toBeGreaterThan(post.id);
    });
  });

  describe('deleting', () => {
    it('asks for confirmation, asks again if the post has changed; its address offers the history and restores it', async () => {
      const post = await site.service.create({ title: 'Deleted by hand' });
      const { page, complaints } = await site.open(`posts/${post.id}`);
      complaints.allowRefusals(412);
      await button(page, 'Delete…').click();
      const dialog = page.getByRole('dialog', { name: 'Delete this post?' });
      await site.service.put(post.path, { ...post, body: 'Changed meanwhile.' });
      await button(dialog, 'Delete').click();
      await dialog.getByText('This post was changed').waitFor();
      await button(dialog, 'Delete anyway').dblclick();
      await heading(page, 'Posts').waitFor();
      await told(page, '“Deleted by hand” was deleted.');
      expect((await site.service.get(post.path)).status).toBe(404);

      complaints.allowRefusals(404);
      await page.goto(site.url(`posts/${post.id}`));
      await heading(page, 'Deleted by hand').waitFor();
      await page.getByText('This post is deleted.').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await page.getByRole('link', { name: 'History' }).click();
      await heading(page, 'History of “Deleted by hand”').waitFor();
      await page.goBack();
      await button(page, 'Restore the post').click();
      await bodyField(page).waitFor();
      expect(await site.read(post)).toEqual({ ...post, body: 'Changed meanwhile.' });
      await page.goto(site.url('posts/987654'));
      await heading(page, 'There is no such post').waitFor();
    });

    it('removes no match when their number has changed', async () => {
      await site.importPosts('Crowd', 30);
      const { page, complaints } = await site.open('posts?search=crowd');
      complaints.allowRefusals(409);
      const wholePage = page.getByRole('checkbox', { name: 'Select all posts on this page' });
      await wholePage.check();
      await button(page, 'Select all 30 matching posts').click();
      await said(page, 'All 30 matching posts are selected');
      await button(page, 'Delete…').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Type 30 to confirm').fill('30');
      await site.service.create({ title: 'Crowd, one more' });
      await button(dialog, 'Delete 30 posts').click();
      const alert = page.getByRole('alert');
      await alert.getByText('By now 31 posts match, not 30; nothing was changed.').waitFor();
      await wholePage.check();
      await button(page, 'Select all 31 matching posts').waitFor();
      expect(await site.service.find('search=crowd')).toHaveLength(31);

      const body = '{"done":3,"total":25}\n{"done":';
      await page.route('**/bulk-deletions/', (route) => route.fulfill({ body }), { times: 1 });
      await button(page, 'Delete…').click();
      await button(dialog, 'Delete 25 posts').click();
      await alert.getByText(/^The service cannot be reached\..* 3 of 25 posts were deleted\.$/).waitFor();
    });
  });
});
