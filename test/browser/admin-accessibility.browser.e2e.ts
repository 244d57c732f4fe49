import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
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

  it.each([
    ['light', [1280, 390]],
    ['dark', [1280]],
  ] as const)(
    'has no accessibility violation on any page in %s, one format of dates, and fits a phone',
    async (colorScheme, widths) => {
      const { page } = await site.open('', { colorScheme });
      const barriers: string[] = [];
      let withDates = 0;
      for (const [path, name] of PAGES) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(site.url(path));
        await heading(page, name).waitFor();
        await page.waitForLoadState('networkidle');
        for (const width of widths) {
          // Another width of the same page needs no new one.
          await page.setViewportSize({ width, height: 800 });
          barriers.push(...(await barriersOf(page)).map((barrier) => `${path}, ${width} px: ${barrier}`));
        }
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
    },
  );

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
