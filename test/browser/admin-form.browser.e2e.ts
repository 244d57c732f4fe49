import type { Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser, withClipboard } from '../support/browser.js';
import {
  afterSaving,
  bodyField,
  button,
  heading,
  setOffline,
  titleField,
  told,
} from '../support/site-locators.js';
import { poll } from '../support/until.js';

/** The requests that save posts. */
const SAVES = /\/posts\/(\d+\/)?$/;

const BAD_GATEWAY = { status: 502, body: 'The proxy lost the answer.' };

describeInBrowser('the form of a post in the administration site', () => {
  const site = adminSite();

  /** The name of the focused input. */
  const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.name');

  /** The service gets the next request to this URL, but its response is lost. */
  async function loseAnswer(page: Page, url: string, instead = BAD_GATEWAY): Promise<void> {
    await page.route(
      url,
      async (route) => {
        await route.fetch();
        await route.fulfill(instead);
      },
      { times: 1 },
    );
  }

  it('adds a post with the keyboard alone', async () => {
    const { page } = await site.open('posts?search=typed');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('link', { name: 'Add post' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('h1:focus', { hasText: 'Add post' }).waitFor();
    await page.keyboard.press('Tab');
    await poll(() => focused(page)).toBe('title');
    await page.keyboard.type('Typed 😀');
    await page.getByText('7 of 200 characters').waitFor();
    while ((await focused(page)) !== 'body') await page.keyboard.press('Tab');
    await page.keyboard.type('One\nTwo');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await told(page, '“Typed 😀” was added.');
    // The page returns to the previous state of the list.
    await poll(() => page.url()).toBe(site.url('posts?search=typed'));
    await page.getByRole('rowheader', { name: 'Typed 😀' }).waitFor();
  });

  it('shows a fault from the service at its field, focuses it, and forgets it when the field is changed', async () => {
    const { page, complaints } = await site.open('posts/create');
    complaints.allowRefusals(400);
    await button(page, 'Save').click();
    await page.getByText('Required.').waitFor();
    await titleField(page).fill(' ');
    await page.getByText('Required.').waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await page.getByText(/must not be empty/).waitFor();
    await page.getByRole('alert').getByText('1 field has a fault.').waitFor();
    await page.locator('[name=title]:focus').waitFor();
    await poll(() => titleField(page).getAttribute('aria-invalid')).toBe('true');
    expect(await titleField(page).getAttribute('aria-describedby')).not.toBeNull();
    expect(await barriersOf(page)).toEqual([]);
    await titleField(page).fill('😀'.repeat(200));
    await page.getByText(/must not be empty/).waitFor({ state: 'detached' });
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await told(page, /was added/);
  });

  it('keeps what is typed during a save, with the focus and the caret, and leaves only when all is saved', async () => {
    const { page } = await site.open('posts/create');
    let answer!: () => void;
    let answered: Promise<void>;
    const holdAnswers = (): void => void (answered = new Promise((resolve) => (answer = resolve)));
    await page.route(SAVES, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      const response = await route.fetch();
      await answered;
      return route.fulfill({ response });
    });
    await titleField(page).fill('Typed around');
    await bodyField(page).focus();
    await page.keyboard.type('One');
    holdAnswers();
    // Ctrl+S on a keyboard with Cyrillic letters.
    const key = `{ key: 'ы', code: 'KeyS', ctrlKey: true, bubbles: true }`;
    await page.evaluate(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', ${key}))`);
    await button(page, 'Saving…').waitFor();
    await page.keyboard.type(', two');
    await page.keyboard.press('ArrowLeft');
    answer();
    await told(page, '“Typed around” was added.');
    await page.waitForURL(/\/posts\/\d+$/);
    await page.keyboard.type('?');
    await poll(() => bodyField(page).inputValue()).toBe('One, tw?o');

    holdAnswers();
    await button(page, 'Save').click();
    await bodyField(page).fill('One, two, three');
    answer();
    await told(page, '“Typed around” was saved. Later changes are not saved yet.');
    await button(page, 'Save').click();
    await heading(page, 'Posts').waitFor();
    const [saved] = await site.service.find('title=Typed%20around');
    expect(saved!.body).toBe('One, two, three');
  });

  it('refuses a half-typed or early date, here and in the filters, and asks before it is lost', async () => {
    const { page, complaints } = await site.open('posts/create');
    complaints.allowRefusals(400);
    const date = page.getByLabel(/^Date of publication/);
    const fault = page.getByText('Enter a whole date, or none.');
    await date.focus();
    await page.keyboard.type('12242026');
    await page.getByRole('link', { name: 'All posts' }).click();
    await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Stay').click();
    await titleField(page).fill('Half a date');
    await button(page, 'Save').click();
    await fault.waitFor();
    await page.locator('[name=pub_date]:focus').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await date.fill('0001-01-01T00:30');
    await fault.waitFor({ state: 'detached' });
    await button(page, 'Save').click();
    await page.getByText(/in the years 0001 to 9999 both as written and in UTC/).waitFor();
    await page.locator('[name=pub_date]:focus').waitFor();
    await date.fill('2026-12-24T15:30');
    await button(page, 'Save').click();
    await page.getByRole('link', { name: 'Half a date' }).click();
    await date.focus();
    await page.keyboard.type('0231');
    await button(page, 'Save').click();
    await fault.waitFor();
    const [post] = await site.service.find('title=Half%20a%20date');
    expect(post!.pub_date).toBe('2026-12-24T14:30:00.000Z');

    await page.goto(site.url('posts?search=half&from=2026-12-24'));
    await page.getByRole('link', { name: 'Half a date' }).waitFor();
    await page.getByLabel('From', { exact: true }).focus();
    await page.keyboard.type('0231');
    await fault.waitFor();
    expect(page.url()).toContain('from=2026-12-24');
  });

  it('repeats a save whose response was lost, also with newer text, and goes on after being offline', async () => {
    const post = await site.service.create({ title: 'Lost and found', body: 'a' });
    const { page, complaints } = await site.open('posts?search=found', { offline: false });
    complaints.allowRefusals(502, 412);
    complaints.allow('net::ERR_INTERNET_DISCONNECTED');
    // Loads the files of the form.
    await page.getByRole('link', { name: post.title }).click();
    await bodyField(page).waitFor();
    await Promise.all([page.waitForResponse(/\/excerpts\//), page.goBack()]);
    await page.locator('.loading-bar').waitFor({ state: 'detached' });
    await setOffline(page, true);
    await page.getByRole('link', { name: post.title }).click();
    await page.getByText('This browser is offline. Try again when the network is back.').waitFor();
    await setOffline(page, false);
    await bodyField(page).fill('b');
    await loseAnswer(page, `**/posts/${post.id}/`);
    await page.keyboard.press('Control+s');
    await page.getByText('This did not work').waitFor();
    expect(await site.read(post)).toEqual({ ...post, body: 'b' });
    await bodyField(page).fill('c');
    await setOffline(page, true);
    await button(page, 'Save').click();
    await page.getByText('This browser is offline. Try again when the network is back.').waitFor();
    await setOffline(page, false);
    await button(page, 'Save').click();
    await heading(page, 'Posts').waitFor();
    expect(await site.read(post)).toEqual({ ...post, body: 'c' });
  });

  it('keeps unchanged microseconds and line ends', async () => {
    const post = await site.service.create({
      title: 'Exact',
      pub_date: '2026-07-01T22:30:07.123456Z',
      body: 'one\r\ntwo\r\n<img src=x onerror=alert(1)>',
    });
    const { page } = await site.open(`posts/${post.id}`);
    const date = page.getByLabel('Date of publication');
    await poll(() => date.inputValue()).toBe('2026-07-02T00:30:07');
    await page.getByText('In UTC: 2026-07-01 22:30:07.123456').waitFor();
    await page.getByText('Date of publication (Europe/Vienna)').first().waitFor();
    await titleField(page).fill('Exact, still');
    await bodyField(page).fill('one\n2\n<img src=x onerror=alert(1)>');
    await page.keyboard.press('Control+s');
    await told(page, '“Exact, still” was saved.');
    expect(await site.read(post)).toEqual({
      ...post,
      title: 'Exact, still',
      body: 'one\r\n2\r\n<img src=x onerror=alert(1)>',
    });
  });

  it('creates a post once although a response was lost, and continues with a new post, the saved post or a copy', async () => {
    const { page, complaints } = await site.open('posts/create');
    complaints.allowRefusals(502);
    await titleField(page).fill('First of two');
    await loseAnswer(page, '**/posts/');
    await afterSaving(page, 'Add another post');
    await button(page, 'Save').click();
    await page.getByText('This did not work').waitFor();
    await button(page, 'Save').click();
    await told(page, '“First of two” was added.');
    await page.locator('[name=title]:focus').waitFor();
    await titleField(page).fill('Half an answer');
    await loseAnswer(page, '**/posts/', { status: 201, body: '{"id":7,"ti' });
    await button(page, 'Save').click();
    await page.getByText('The service cannot be reached.').waitFor();
    await button(page, 'Save').click();
    await told(page, '“Half an answer” was added.');
    expect(await site.service.find('title=Half%20an%20answer')).toHaveLength(1);
    expect(await site.service.find('title=First%20of%20two')).toHaveLength(1);
    await page.locator('[name=title]:focus').waitFor();
    await poll(() => titleField(page).inputValue()).toBe('');
    await titleField(page).fill('Second of two');
    await bodyField(page).fill('To be copied.');
    await page.keyboard.press('Control+s');
    await heading(page, 'Second of two').waitFor();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByText(/^This is a copy of post/).waitFor();
    await poll(() => titleField(page).inputValue()).toBe('Second of two');
    await poll(() => bodyField(page).inputValue()).toBe('To be copied.');
    await afterSaving(page, 'Return to the list');
    await button(page, 'Save').dblclick();
    // The notice about the first post may still be visible, so wait for the heading.
    await heading(page, 'Posts').waitFor();
    expect(await site.service.find('title=Second%20of%20two')).toHaveLength(2);
  });

  it('stays or returns after a save, as was chosen last; Ctrl+S stays', async () => {
    const { page } = await site.open('posts/create', { locale: 'en-GB' });
    await titleField(page).fill('Chosen');
    await afterSaving(page, 'Stay here');
    await titleField(page).press('Enter');
    await told(page, '“Chosen” was added.');
    await page.waitForURL(/\/posts\/\d+$/);
    await page.goto(site.url('posts/create'));
    await titleField(page).fill('Chosen again');
    await button(page, 'Save').click();
    await heading(page, 'Chosen again').waitFor();
    await afterSaving(page, 'Return to the list');
    await titleField(page).fill('Chosen at last');
    await page.keyboard.press('Control+s');
    await heading(page, 'Chosen at last').waitFor();
    await titleField(page).fill('And left');
    await button(page, 'Save').click();
    await heading(page, 'Posts').waitFor();
  });

  it('has a line of title that keeps its line breaks, loses no focus with them, and gets none by Enter or a paste', async () => {
    const post = await site.service.create({ title: 'First line\nsecond line' });
    const { page } = await site.open(`posts/${post.id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await poll(() => titleField(page).inputValue()).toBe('First line\nsecond line');
    await titleField(page).focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await page.keyboard.type(', ');
    await poll(() => titleField(page).inputValue()).toBe('First line, second line');
    await withClipboard(async () => {
      await page.evaluate(`navigator.clipboard.writeText(' by\\n a friend\\n')`);
      await page.keyboard.press('End');
      await page.keyboard.type(' ');
      await page.keyboard.press('Control+v');
      await poll(() => titleField(page).inputValue()).toBe('First line, second line by a friend');
    });
    await page.keyboard.press('Enter');
    await heading(page, 'Posts').waitFor();
    expect((await site.read(post)).title).toBe('First line, second line by a friend');
  });

  it('stays at the second of two times that clocks show, and takes the time of the service for now', async () => {
    const post = await site.service.create({ title: 'Clocks', pub_date: '2026-10-25T01:30:00Z' });
    const { page } = await site.open(`posts/${post.id}`);
    const date = page.getByLabel('Date of publication');
    await poll(() => date.inputValue()).toMatch(/^2026-10-25T02:30/);
    await date.fill('2026-10-25T02:45');
    await page.getByText('In UTC: 2026-10-25 01:45:00').waitFor();

    // The clock of this computer is wrong.
    await page.clock.setFixedTime(new Date('2031-01-01T00:00:00Z'));
    await page.goto(site.url('posts/create'));
    await titleField(page).waitFor();
    await button(page, 'Now').click();
    await page.getByText(`In UTC: ${new Date().toISOString().slice(0, 10)}`).waitFor();
  });

  it('counts words, and gives the body the whole height of the window', async () => {
    const { page } = await site.open('posts/create', { viewport: { width: 1280, height: 700 } });
    await bodyField(page).fill('One two\nthree 日本');
    await page.getByText('5 words').waitFor();
    const before = (await bodyField(page).boundingBox())!.height;
    await button(page, 'Full height').click();
    await poll(async () => (await bodyField(page).boundingBox())!.height > Math.max(before, 450)).toBe(true);
    const { y, height } = (await bodyField(page).boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(56);
    expect(y + height).toBeLessThan((await button(page, 'Save').boundingBox())!.y);
    await page.reload();
    await poll(() => button(page, 'Full height').getAttribute('aria-pressed')).toBe('true');
  });

  it('sets the direction of a very long text once, because Chromium works out “auto” at each key', async () => {
    const { page } = await site.open('posts/create');
    await bodyField(page).fill(`שלום ${'x'.repeat(100_001)}`);
    await poll(() => bodyField(page).getAttribute('dir')).toBe('rtl');
    await bodyField(page).fill('short');
    await poll(() => bodyField(page).getAttribute('dir')).toBe('auto');
  });
});
