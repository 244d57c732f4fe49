import type { Locator } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { bodyField, button, heading, row, titleField, told } from '../support/site-locators.js';
import { poll } from '../support/until.js';

/** "Reverses" the rest of a line that does not isolate it. */
const OVERRIDE = '\u202e';

/** Replaces text nodes by elements, as the translators of browsers do. */
const TRANSLATOR = `
  const translate = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const kept = 'font, [translate=no], script, style, textarea, svg, head, option';
      if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(kept)) continue;
      const font = document.createElement('font');
      font.textContent = text.data;
      text.replaceWith(font);
    }
  };
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      for (const node of [target, ...addedNodes]) {
        translate(node.nodeType === Node.TEXT_NODE ? node.parentNode ?? node : node);
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true });`;

describeInBrowser('the looks of the administration site', () => {
  const site = adminSite();

  beforeAll(() => site.importPosts('Ferry', 60));

  it('has the header of a list in view while the rows scroll, and on a phone its first row in the upper half', async () => {
    const { page } = await site.open('posts?limit=50');
    const topOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())!.y;
    await page.getByRole('row').nth(50).scrollIntoViewIfNeeded();
    await poll(async () => (await topOf(button(page, 'Title'))) >= 0).toBe(true);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate('window.scrollTo(0, 0)');
    await poll(async () => (await topOf(page.getByRole('row').nth(1))) < 844 / 2).toBe(true);
    await button(page, 'Open the menu').click();
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await menu.getByRole('link', { name: 'Dashboard' }).click();
    await heading(page, 'Dashboard').waitFor();
  });

  it('shows all rows of a long list, slice by slice, and comes back to the place that was left', async () => {
    await site.importPosts('Gannet', 100, 'A body with an excerpt.');
    const { page } = await site.open('posts?limit=100&search=gannet');
    const rows = page.locator('tbody tr');
    await poll(() => rows.count()).toBe(100);
    await poll(() => page.locator('tbody .excerpt', { hasText: 'A body' }).count()).toBe(100);
    await page.evaluate('window.scrollTo(0, 3_000)');
    await page.getByRole('link', { name: 'Gannet 50' }).dispatchEvent('click');
    await heading(page, 'Gannet 50').waitFor();
    await page.goBack();
    await heading(page, 'Posts').waitFor();
    await poll(() => rows.count()).toBe(100);
    await poll(() => page.evaluate('window.scrollY')).toBe(3_000);
  });

  it('works on a page that a translator has changed', async () => {
    const admin = await site.logIn();
    const person = await admin.addAccount({ username: 'Rosetta' });
    const first = { title: 'Hieroglyphs', body: 'one\ntwo', pub_date: '2126-01-01T00:00:00Z' };
    const { id } = await site.service.create(first);
    await admin.send('PUT', `/posts/${id}/`, { title: 'Hieroglyphs', body: 'one\n2' });
    await admin.send('PUT', `/posts/${id}/`, { title: 'Hieroglyphs', body: 'one\n2\nthree' });
    const { page } = await site.open('', { locale: 'en-GB' });
    await page.addInitScript(TRANSLATOR);
    await page.goto(site.url('posts?search=hieroglyphs'));
    await page.locator('h1 font').waitFor();
    const search = page.getByLabel('Search title and body');
    const match = page.locator('mark').first();
    for (const words of ['hiero', 'one', '']) {
      await search.fill(words);
      await page.getByRole('link', { name: 'Hieroglyphs' }).waitFor();
      await match.waitFor({ state: words === '' ? 'detached' : 'attached' });
    }
    await page.getByRole('link', { name: 'Hieroglyphs' }).click();
    await titleField(page).fill('x'.repeat(201));
    await page.getByText('201 of 200 characters').waitFor();
    await titleField(page).fill('Hieroglyphs read');
    await page.getByText('16 of 200 characters').waitFor();
    await page.keyboard.press('Control+s');
    await heading(page, 'Hieroglyphs read').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await button(page, 'What changed version 2').click();
    await page.getByRole('insertion').filter({ hasText: /2$/ }).waitFor();

    await page.goto(site.url('accounts'));
    const account = row(page, 'Rosetta');
    await account.getByText('Never').waitFor();
    await site.logIn('Rosetta');
    await admin.change(person, { role: 'editor' });
    await button(page, 'Disable “Rosetta”').click();
    await button(page.getByRole('dialog'), 'Disable').click();
    await account.getByText('Disabled').waitFor();
    await account.getByText('Editor').waitFor();
    await account.locator('time').nth(1).waitFor();
  });

  it('has the system’s colour scheme unless the user chooses another, and prints in dark on white', async () => {
    const { id } = await site.service.create({ title: 'On paper', body: 'One\nTwo' });
    const { page } = await site.open('posts', { colorScheme: 'dark' });
    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await button(page, 'Account admin').click();
    const dark = await ground();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Appearance').selectOption('Dark');
    await page.emulateMedia({ media: 'print' });
    await poll(async () => (await ground()) === dark).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await poll(ground).toBe(dark);
    await page.getByLabel('Appearance').selectOption('Light');
    await poll(async () => (await ground()) === dark).toBe(false);
    await page.reload();
    await heading(page, 'Posts').waitFor();
    expect(await ground()).not.toBe(dark);

    // A text area would be one box, which no page of paper can divide, and Chromium leaves it empty.
    await page.goto(site.url(`posts/${id}`));
    await bodyField(page).fill('One\nTwo\nThree');
    await page.emulateMedia({ media: 'print' });
    await page.locator('div', { hasText: /^One\nTwo\nThree$/ }).waitFor();
    expect(await bodyField(page).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await bodyField(page).waitFor();
    await poll(() => bodyField(page).inputValue()).toBe('One\nTwo\nThree');
  });

  it('shows within a moment that a click waits for a slow network', async () => {
    const { page } = await site.open('posts?search=ferry');
    const styleOfBusy = (property: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('.loading-bar')).${property}`);
    await page.getByRole('link', { name: 'Ferry 60' }).waitFor();
    await page.locator('.loading-bar').waitFor({ state: 'detached' });
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/{posts,admin/api}/**', async (route) => {
      await answered;
      await route.continue();
    });
    await button(page, 'Title').click();
    // No response comes before the page shows that it waits.
    await poll(() => styleOfBusy('visibility')).toBe('visible');
    expect(parseFloat(await styleOfBusy('animationDelay'))).toBeLessThan(0.1);
    answer();
    await page.locator('.loading-bar').waitFor({ state: 'detached' });
  });

  describe('a text of another direction', () => {
    it('has its own direction in lists and inputs', async () => {
      const { id } = await site.service.create({ title: 'שלום עולם', body: 'مرحبا' });
      const { page } = await site.open(`posts/${id}`);
      const directionOf = (selector: string): Promise<unknown> =>
        page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
      await heading(page, 'שלום עולם').waitFor();
      const elements = ['h1', '[name=title]', '[name=body]'];
      await poll(() => Promise.all(elements.map(directionOf))).toEqual(['rtl', 'rtl', 'rtl']);
      await page.goto(site.url('posts?search=שלום'));
      await page.getByRole('link', { name: 'שלום עולם' }).waitFor();
      expect(await directionOf(`tbody a[href$="/posts/${id}"]`)).toBe('rtl');
    });

    it('does not turn the text around it in messages, and of any length leaves Undo on a phone', async () => {
      const title = `${'m'.repeat(190)}${OVERRIDE}def`;
      const { id } = await site.service.create({ title });
      const { page } = await site.open(`posts/${id}`, { viewport: { width: 390, height: 844 } });
      await button(page, 'Delete…').click();
      const isolated = `“\u2068${title}\u2069”`;
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`${isolated} will be deleted.`).waitFor();
      await button(dialog, 'Delete').click();
      await page.getByText(`${isolated} was deleted.`).waitFor();
      const undo = (await button(page, 'Undo').boundingBox())!;
      expect(undo.x).toBeGreaterThanOrEqual(0);
      expect(undo.x + undo.width).toBeLessThanOrEqual(390);
      await button(page, 'Undo').click();
      await told(page, '1 post was restored.');
    });
  });
});
