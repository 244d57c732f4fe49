import { adminSite } from '../support/admin-site.js';
import { barriersInAllColours, barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { heading } from '../support/site-locators.js';
import { poll } from '../support/until.js';

/** Every page of the site, with its heading. */
const PAGES: readonly (readonly [path: string, heading: RegExp])[] = [
  ['', /^Dashboard$/],
  ['posts', /^Posts$/],
  ['posts?search=nothing-like-it', /^Posts$/],
  ['posts/create', /./],
  ['posts/1', /./],
  ['posts/1/history', /^History of “/],
  ['posts/2/history', /^History of “/],
  ['deleted-posts', /^Deleted posts$/],
  ['changes', /^Change log$/],
  ['import', /^Import$/],
  ['export?search=long', /^Export$/],
  ['tokens', /^API tokens$/],
  ['accounts', /^Accounts$/],
  ['no/such/page', /^Page not found$/],
];

/** A date as every page shows it. */
const SHOWN_DATE = /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d (CET|CEST)$/;

const LONG_TITLE = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '
  .repeat(2)
  .trim();

describeInBrowser('the administration site', () => {
  const site = adminSite({ BASE_PATH: '/blog' });

  beforeAll(async () => {
    const admin = await site.logIn();
    await site.service.create({ title: LONG_TITLE, body: 'A long text. '.repeat(40) });
    await site.service.create({ title: 'Deleted' });
    const json = { title: LONG_TITLE, body: 'a_word_without_an_end_'.repeat(30) };
    expect((await admin.send('PUT', '/posts/1/', json)).status).toBe(200);
    expect((await site.service.delete('/blog/posts/2/')).status).toBe(204);
    // Its links in the change log are close to each other.
    const { id } = await site.service.create({ title: 'Short' });
    await admin.send('PUT', `/posts/${id}/`, { title: 'Shorter', body: '' });
    await admin.makeToken({ name: 'Nightly' });
  });

  it('has no accessibility violation on any page, in light, dark and forced colours, one format of dates, and fits a phone', async () => {
    const { page } = await site.open('', { colorScheme: 'light' });
    const barriers: string[] = [];
    let withDates = 0;
    for (const [path, name] of PAGES) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(site.url(path));
      await heading(page, name).waitFor();
      await poll(() => page.locator('.loading-bar').count()).toBe(0);
      barriers.push(...(await barriersInAllColours(page)).map((barrier) => `${path}: ${barrier}`));
      // The buttons of a row are in the window of a tablet, without scrolling sideways.
      await page.setViewportSize({ width: 800, height: 800 });
      const outside = `[...document.querySelectorAll('tbody button')]
        .filter((button) => button.getBoundingClientRect().right > innerWidth).length`;
      await poll(async () => [path, await page.evaluate(outside)]).toEqual([path, 0]);
      // Another width of the same page needs no new one.
      await page.setViewportSize({ width: 390, height: 800 });
      barriers.push(...(await barriersOf(page)).map((barrier) => `${path}, on a phone: ${barrier}`));
      expect([path, await page.getByRole('heading', { level: 1 }).count()]).toEqual([path, 1]);
      const dates = await page.locator('time').allInnerTexts();
      expect([path, dates.filter((date) => !SHOWN_DATE.test(date))]).toEqual([path, []]);
      withDates += dates.length > 0 ? 1 : 0;
      await page.setViewportSize({ width: 360, height: 800 });
      const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      await poll(async () => [path, await page.evaluate(overhang)]).toEqual([path, 0]);
    }
    expect(barriers).toEqual([]);
    expect(withDates).toBeGreaterThan(7);
  });

  it('lets the keyboard skip the menu, follow a link and reach every control of a table', async () => {
    const { page } = await site.open();
    await heading(page, 'Dashboard').waitFor();
    await page.keyboard.press('Tab');
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await poll(() => page.evaluate('document.activeElement.localName')).toBe('main');

    const link = page.getByRole('link', { name: 'Deleted posts' });
    await link.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Deleted posts').waitFor();
    // The heading has the focus, and Tab reaches all controls from there.
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('Deleted posts');
    await page.getByRole('button', { name: 'Delete for good “Deleted”' }).waitFor();
    const reached: unknown[] = [];
    for (let index = 0; index < 8; index++) {
      await page.keyboard.press('Tab');
      reached.push(
        await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent'),
      );
    }
    expect(reached).toEqual(
      expect.arrayContaining([
        'Select all posts on this page',
        'Select “Deleted”',
        'Deleted',
        'Restore “Deleted”',
        'Delete for good “Deleted”',
      ]),
    );
  });

  it('tells screen readers what has happened by one live region that is always there, also beside a dialog', async () => {
    const { page } = await site.open('deleted-posts');
    const region = page.locator('#announcements');
    await page.getByRole('button', { name: 'Restore “Deleted”' }).waitFor();
    expect(await region.evaluate((element) => element.closest('#root') === null)).toBe(true);
    await page.evaluate(`globalThis.heard = [];
      new MutationObserver((records) => {
        for (const { addedNodes } of records) heard.push(...Array.from(addedNodes, (node) => node.textContent));
      }).observe(document.querySelector('#announcements'), { childList: true });`);
    const purge = page.getByRole('button', { name: 'Delete for good “Deleted”' });
    await purge.click();
    await page.getByRole('dialog').waitFor();
    expect(await region.getAttribute('aria-hidden')).toBeNull();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Restore “Deleted”' }).press('Enter');
    await poll(() => page.evaluate('heard')).toEqual([
      'Restoring…',
      '1 post was restored.',
      'There are no deleted posts.',
    ]);
    // The button has gone with its row.
    await page.locator('h1:focus').waitFor();
  });

  it('has edges in forced colours, and leaves the page to its content when the window is low', async () => {
    const { page } = await site.open('accounts', { forcedColors: 'active' });
    await page.getByRole('button', { name: 'Add an account' }).click();
    const borderOf = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).borderTopStyle`);
    await poll(() => borderOf('.MuiDialog-paper')).toBe('solid');
    expect(await borderOf('[role=dialog] button[type=submit]')).toBe('solid');
    await page.keyboard.press('Escape');
    const current = `getComputedStyle(document.querySelector('nav .active')).outlineStyle`;
    expect(await page.evaluate(current)).toBe('solid');

    // 1280 × 1024 at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(site.url('posts/1'));
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.focus();
    await body.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    const covering = `[...document.querySelectorAll('body *')].filter((element) =>
      ['fixed', 'sticky'].includes(getComputedStyle(element).position) && element.offsetHeight > 1
      && getComputedStyle(element).visibility === 'visible' && element.textContent !== 'Skip to content').length`;
    await poll(() => page.evaluate(covering)).toBe(0);
  });

  it.each([
    ['/blog/admin/assets/licenses.txt', /## diff - .*BSD-3-Clause/],
    ['/blog/admin/assets/licenses.txt', /## @mdi\/js - .*Apache-2.0/],
    ['/blog/docs/licenses.txt', /Apache License[^]*Copyright/],
  ])('ships with the licences of its parts: %s', async (path, text) => {
    const response = await fetch(new URL(path, site.url('')));
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toMatch(text);
  });
});
