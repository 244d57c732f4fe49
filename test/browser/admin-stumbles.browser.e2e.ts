import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { button, heading } from '../support/site-locators.js';
import { leastOf, poll } from '../support/until.js';

/** "Reverses" the rest of a line that does not isolate it. */
const OVERRIDE = '\u202e';

describeInBrowser('what stops people in the administration site', () => {
  const site = adminSite();
  const remove = (id: number) => site.request('DELETE', `/posts/${id}/`);

  describe('a failure', () => {
    it('shows the reason of the service, at its field where it has one', async () => {
      const { page, complaints } = await site.open('changes?post_id=seven');
      complaints.allowRefusals(400);
      const filter = page.getByRole('searchbox', { name: 'Post id' });
      await poll(() => filter.getAttribute('aria-invalid')).toBe('true');
      const help = await filter.getAttribute('aria-describedby');
      await page
        .locator(`[id="${help}"]`)
        .getByText(/must be/)
        .waitFor();
      expect(await page.getByText('nothing was changed').count()).toBe(0);
      expect(await barriersOf(page)).toEqual([]);

      await page.route('**/admin/api/dashboard/**', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            detail: 'The request has one fault; nothing was changed.',
            errors: [{ detail: 'The value must be the name of a time zone.', parameter: 'time_zone' }],
          }),
        }),
      );
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.getByText('time_zone: The value must be the name of a time zone.').waitFor();
    });

    it('at a field goes away when the field is changed', async () => {
      const { page, complaints } = await site.open('posts/create');
      complaints.allowRefusals(400);
      await button(page, 'Save').click();
      await page.getByText(/must not be empty/).waitFor();
      await page.getByLabel(/^Title/).fill('A valid title');
      await page.getByText(/must not be empty/).waitFor({ state: 'detached' });
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    it('without a network says so, and lists load again when it is back', async () => {
      await site.create({ title: 'Seen after the tunnel' });
      const { page, complaints } = await site.open('', { offline: false });
      complaints.allowOffline();
      await heading(page, 'Dashboard').waitFor();
      await page.getByRole('link', { name: 'Posts', exact: true }).click();
      await heading(page, 'Posts').waitFor();
      await page.context().setOffline(true);
      await page.getByLabel('Search title and body').fill('tunnel');
      await page.getByText('This browser is offline.').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('link', { name: 'Seen after the tunnel' }).waitFor();
    });
  });

  it('titles are sorted as people sort them', async () => {
    const sorted = ['ähnlich', 'Äpfel', 'apfel', 'École', 'Zebra', 'zebra'];
    for (const title of ['Zebra', 'zebra', 'École', 'Äpfel', 'apfel', 'ähnlich'])
      await site.create({ title, body: 'collated' });
    const { page } = await site.open('posts?search=collated');
    const titles = () => page.locator('tbody').getByRole('link').allTextContents();
    const byTitle = page.getByRole('columnheader', { name: 'Title' }).getByRole('button');
    await byTitle.click();
    await poll(titles).toEqual(sorted);
    await byTitle.click();
    await poll(titles).toEqual(sorted.toReversed());
    await page.getByRole('link', { name: 'École' }).click();
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await heading(page, 'apfel').waitFor();
  });

  it('a deleted post’s address offers its history and restores it', async () => {
    const { id } = await site.create({ title: 'Deleted, then linked' });
    await remove(id);
    const { page, complaints } = await site.open(`posts/${id}`);
    complaints.allowRefusals(404);
    await heading(page, 'Deleted, then linked').waitFor();
    await page.getByText('This post is deleted.').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'History' }).click();
    await heading(page, 'History of “Deleted, then linked”').waitFor();
    await page.goBack();
    await button(page, 'Restore the post').click();
    await page.getByRole('textbox', { name: 'Body' }).waitFor();
    expect((await site.request('GET', `/posts/${id}/`)).status).toBe(200);
    await page.goto(site.url('posts/987654'));
    await heading(page, 'There is no such post').waitFor();
  });

  it('shows that a click waits, long before a slow network responds', async () => {
    await site.create({ title: 'Slow' });
    const { page } = await site.open('posts');
    await page.getByRole('link', { name: 'Add post' }).waitFor();
    // Loads the files of the other page.
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('rowheader', { name: 'admin' }).waitFor();
    await page.goBack();
    await page.getByRole('columnheader', { name: 'Title' }).waitFor();
    await page.route('**/{posts,admin/api}/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.continue().catch(() => undefined);
    });
    /** The time until the page shows that it waits. */
    const answerMs = async (click: () => Promise<void>): Promise<number> => {
      await page.evaluate(`addEventListener('click', () => {
        const clickedAt = performance.now();
        globalThis.answeredMs = new Promise((resolve) => requestAnimationFrame(function look() {
          const busy = document.querySelector('.busy');
          if (busy && getComputedStyle(busy).visibility === 'visible') resolve(performance.now() - clickedAt);
          else requestAnimationFrame(look);
        }));
      }, { capture: true, once: true })`);
      await click();
      const answered = await page.evaluate<number>('globalThis.answeredMs');
      await page.locator('.busy').waitFor({ state: 'detached' });
      return answered;
    };
    const least = await leastOf(100, () =>
      answerMs(() => page.getByRole('button', { name: 'Title', exact: true }).click()),
    );
    expect(least).toBeLessThan(100);
    await answerMs(() => page.getByRole('link', { name: 'Accounts' }).click());
  });

  describe('a text of another direction', () => {
    it('has its own direction in lists and inputs', async () => {
      const { id } = await site.create({ title: 'שלום עולם', body: 'مرحبا' });
      const { page } = await site.open(`posts/${id}`);
      const directionOf = (selector: string): Promise<unknown> =>
        page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
      await heading(page, 'שלום עולם').waitFor();
      const elements = ['h1', '[name=title]', '[name=body]'];
      expect(await Promise.all(elements.map(directionOf))).toEqual(['rtl', 'rtl', 'rtl']);
      await page.goto(site.url('posts'));
      await page.getByRole('link', { name: 'שלום עולם' }).waitFor();
      expect(await directionOf(`tbody a[href$="/posts/${id}"]`)).toBe('rtl');
    });

    it('does not turn the text around it in messages', async () => {
      const { id } = await site.create({ title: `abc${OVERRIDE}def` });
      const { page } = await site.open(`posts/${id}`);
      await button(page, 'Delete…').click();
      const isolated = `“\u2068abc${OVERRIDE}def\u2069”`;
      await page.getByRole('dialog').getByText(`${isolated} will be deleted.`).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`${isolated} was deleted.`).waitFor();
    });

    it('of any length leaves Undo on the screen of a phone', async () => {
      const { id } = await site.create({ title: 'm'.repeat(200) });
      const { page } = await site.open(`posts/${id}`, { viewport: { width: 390, height: 844 } });
      await button(page, 'Delete…').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      const undo = (await button(page, 'Undo').boundingBox())!;
      expect(undo.x).toBeGreaterThanOrEqual(0);
      expect(undo.x + undo.width).toBeLessThanOrEqual(390);
      await button(page, 'Undo').click();
      await page.getByText('1 post was restored.').waitFor();
    });
  });
});
