import type { Page } from 'playwright-core';
import { bearer, PASSWORD } from '../support/admin.js';
import { adminSite, tokenOf } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import {
  bodyField,
  button,
  closeByBack,
  fillIn,
  heading,
  historyLeftClosed,
  logIn,
  setOffline,
  titleField,
  told,
} from '../support/site-locators.js';
import { poll } from '../support/until.js';

const CURRENT_SESSION = '/blog/admin/api/sessions/current/';

/** Options give a test its own browser profile. */
const OWN_PROFILE = { locale: 'en-GB' };

describeInBrowser('the session of the administration site', () => {
  const site = adminSite({ BASE_PATH: '/blog' });
  let post: Awaited<ReturnType<typeof site.service.create>>;

  beforeAll(async () => {
    post = await site.service.create({ title: 'Kept through a log-in', body: 'As it was.' });
  });

  /** Ends the session, as its expiry or an administrator would. */
  async function endSession(page: Page): Promise<void> {
    const response = await site.service.delete(CURRENT_SESSION, bearer(await tokenOf(page)));
    expect(response.status).toBe(204);
  }

  it('requires a log-in, then shows the requested page, also in other tabs without a cookie', async () => {
    const { page, complaints } = await site.openAsStranger('posts?ordering=title&limit=10', OWN_PROFILE);
    complaints.allowRefusals(401, 429);
    complaints.allow('net::ERR_INTERNET_DISCONNECTED');
    await heading(page, 'Log in').waitFor();
    await poll(() => page.title()).toBe('Log in · Posts administration');
    await poll(() => page.evaluate('document.activeElement.name')).toBe('username');
    expect(await barriersOf(page)).toEqual([]);
    await button(page, 'Log in').click();
    await page.getByText('Required.').nth(1).waitFor();
    // It does not reveal whether the name or the password is wrong.
    await logIn(page, 'admin', 'not the password');
    await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor();
    await page.locator('[name=password]:focus').waitFor();
    await poll(() => page.getByLabel(/^Password/).inputValue()).toBe('');
    const tooMany = { status: 429, headers: { 'Retry-After': '150' }, json: { detail: 'Too many.' } };
    await page.route('**/admin/api/sessions/', (route) => route.fulfill(tooMany), { times: 1 });
    await logIn(page);
    await page.getByRole('alert').getByText('Too many attempts. Try again in 3 minutes.').waitFor();
    await setOffline(page, true);
    await logIn(page);
    await page
      .getByRole('alert')
      .getByText(/offline/)
      .waitFor();
    await setOffline(page, false);
    await button(page, 'Log in').click();
    await page.locator('h1:focus', { hasText: 'Posts' }).waitFor();
    await poll(() => page.url()).toBe(site.url('posts?ordering=title&limit=10'));
    await page.reload();

    const pasted = await page.context().newPage();
    await pasted.goto(site.url(`posts/${post.id}/history`));
    await heading(pasted, `History of “${post.title}”`).waitFor();
    expect(await tokenOf(pasted)).toBe(await tokenOf(page));
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('says that the service is down on a page that is opened for the first time then, and shows it afterwards', async () => {
    const { page, complaints } = await site.open('posts');
    await page.getByRole('link', { name: post.title }).waitFor();
    complaints.allow('net::ERR_CONNECTION_REFUSED');
    complaints.allow('The service cannot be reached.');
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Change log' }).click();
    await heading(page, 'This page could not be shown').waitFor();
    await page.getByText('The service cannot be reached. It may be stopped').waitFor();
    await page.locator('h1:focus').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    // It stays, with the whole site around it, instead of the browser's own page.
    await button(page, 'Reload the page').click();
    await told(page, 'The service still cannot be reached.');
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await heading(page, 'Posts').waitFor();
    await page.goBack();
    await heading(page, 'This page could not be shown').waitFor();
    await page.unroute('**/*');
    await button(page, 'Reload the page').click();
    await heading(page, 'Change log').waitFor();
    await page.getByRole('table').waitFor();
  });

  it('loads no more than 245 kB for its first page', async () => {
    const { page } = await site.open('posts', { extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
    await page.getByRole('link', { name: post.title }).waitFor();
    const bytes = await page.evaluate<number>(
      `performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0)`,
    );
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(245_000);
  });

  it('asks once for a new log-in when it has ended, keeps the input, and continues in all tabs', async () => {
    const { page, complaints } = await site.open(`posts/${post.id}`, OWN_PROFILE);
    complaints.allowRefusals(401);
    const dialogOf = (tab: Page) => tab.getByRole('dialog', { name: 'Your session has ended' });
    await bodyField(page).fill('Typed before the session ended.');
    const other = await page.context().newPage();
    await other.goto(site.url());
    await other.getByRole('link', { name: 'Posts', exact: true }).click();
    await other.getByRole('link', { name: post.title }).waitFor();
    await page.bringToFront();
    await endSession(page);
    await page.keyboard.press('Control+s');
    await dialogOf(page).locator('[name=password]:focus').waitFor();
    await poll(() => dialogOf(page).getByLabel('User name').inputValue()).toBe('admin');
    expect(await barriersOf(page)).toEqual([]);
    // Several requests of the other tab get 401.
    await other.bringToFront();
    await other.getByLabel('Search title and body').fill('kept');
    const password = dialogOf(other).getByLabel(/^Password/);
    await password.waitFor();
    // The heading of another page does not take the focus.
    await other.goBack();
    await other.locator('h1', { hasText: 'Dashboard' }).waitFor();
    await other.goForward();
    await other.locator('h1', { hasText: 'Posts' }).waitFor();
    await other.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await dialogOf(other).locator('[name=password]:focus').waitFor();
    await password.fill('not the password');
    await other.keyboard.press('Enter');
    await dialogOf(other).getByText('The user name or the password is wrong.').waitFor();
    await password.fill(PASSWORD);
    // The save that waited in the first tab goes on. Its notice is shown for some seconds.
    const logInAgain = async (): Promise<void> => {
      await other.keyboard.press('Enter');
      await other.getByText('1 of 1', { exact: true }).waitFor();
      await page.bringToFront();
    };
    await Promise.all([told(page, `“${post.title}” was saved.`), logInAgain()]);
    expect(await site.read(post)).toEqual({ ...post, body: 'Typed before the session ended.' });
    for (const tab of [page, other]) expect(await dialogOf(tab).count()).toBe(0);
  });

  it('leaves by Back the log-in above another dialog, and does not close that dialog', async () => {
    const { page, complaints } = await site.open('posts', OWN_PROFILE);
    complaints.allowRefusals(400, 401);
    const list = page.url();
    const logInAgain = page.getByRole('dialog', { name: 'Your session has ended' });
    const password = page.getByRole('dialog', { name: 'Change the password of “admin”' });
    await button(page, 'Account admin').click();
    await button(page, 'Change my password').click();
    const typed = { 'Your current password': 'not the password', 'New password': 'typed before it ended' };
    await fillIn(password, typed);
    await endSession(page);
    await page.keyboard.press('Enter');
    await logInAgain.waitFor();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await closeByBack(page);
    await question.waitFor();
    // Back closes the question as well.
    await closeByBack(page);
    await question.waitFor({ state: 'detached' });
    await logInAgain.waitFor();
    expect(page.url()).toBe(list);
    await fillIn(logInAgain, { Password: PASSWORD });
    await page.keyboard.press('Enter');
    await logInAgain.waitFor({ state: 'detached' });
    // The request that waited went on.
    await password.locator('[name=current_password][aria-invalid=true]').waitFor();
    await poll(() => password.getByLabel('New password').inputValue()).toBe(typed['New password']);
    await closeByBack(page);
    await button(question, 'Leave').click();
    await password.waitFor({ state: 'detached' });
    await historyLeftClosed(page);

    await button(page, `Actions for “${post.title}”`).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete this post?' }).waitFor();
    await endSession(page);
    await button(page, 'Delete').click();
    await logInAgain.waitFor();
    await closeByBack(page);
    await heading(page, 'Log in').waitFor();
    expect(page.url()).toBe(list);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('does not send for another account what waited for a new log-in', async () => {
    await (await site.logIn()).addAccount({ username: 'carol', role: 'editor' });
    const before = await site.read(post);
    const { page, complaints } = await site.open(`posts/${post.id}`, OWN_PROFILE);
    complaints.allowRefusals(401);
    await bodyField(page).fill('Saved by its author only.');
    await endSession(page);
    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await fillIn(dialog, { 'User name': 'carol', Password: PASSWORD });
    await page.keyboard.press('Enter');
    await button(page, 'Account carol').waitFor();
    await heading(page, 'Dashboard').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await site.read(post)).toEqual(before);
    expect(await page.getByText('Not logged in').count()).toBe(0);

    // Its author finds it again.
    await button(page, 'Account carol').click();
    await button(page, 'Log out').click();
    await logIn(page);
    await button(page, 'Account admin').waitFor();
    await page.goto(site.url(`posts/${post.id}`));
    await button(page, 'Restore it').click();
    await poll(() => bodyField(page).inputValue()).toBe('Saved by its author only.');
  });

  it('keeps unsaved text when another tab logs out: another account does not see it, its author finds it again', async () => {
    await (await site.logIn()).addAccount({ username: 'bob', role: 'editor' });
    const before = await site.read(post);
    const { page, complaints } = await site.open('posts', OWN_PROFILE);
    complaints.allowRefusals(401);
    await page.getByRole('link', { name: post.title }).click();
    await bodyField(page).fill('Typed before the log-out.');
    const other = await page.context().newPage();
    await other.goto(site.url('posts'));
    await button(other, 'Account admin').click();
    await button(other, 'Log out').click();
    await heading(other, 'Log in').waitFor();
    await page.bringToFront();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.goBack();
    await button(question, 'Stay').click();
    await question.waitFor({ state: 'detached' });
    await poll(() => page.evaluate('localStorage.length')).toBe(1);
    // The page is hidden from the person who sits here now.
    const ground = `getComputedStyle(document.querySelector('.MuiBackdrop-root')).backgroundColor`;
    expect(await page.evaluate(ground)).toMatch(/^rgb\(/);
    const logInAs = async (username: string): Promise<void> => {
      await fillIn(dialog, { 'User name': username, Password: PASSWORD });
      await page.keyboard.press('Enter');
    };
    await logInAs('bob');
    await heading(page, 'Dashboard').waitFor();
    await button(page, 'Account bob').waitFor();
    await page.goto(site.url(`posts/${post.id}`));
    await poll(() => bodyField(page).inputValue()).toBe(before.body);
    await page.locator('.loading-bar').waitFor({ state: 'detached' });
    expect(await page.getByText('There is unsaved text').count()).toBe(0);
    await bodyField(page).fill('Typed by Bob.');
    await poll(() => page.evaluate('localStorage.length')).toBe(2);
    await endSession(page);
    await button(page, 'Save').click();
    // A person who only leaves keeps it, too.
    await button(dialog, 'Leave').click();
    await heading(page, 'Log in').waitFor();
    await logIn(page);
    await button(page, 'Restore it').click();
    await poll(() => bodyField(page).inputValue()).toBe('Typed before the log-out.');
    await poll(() => page.evaluate('localStorage.length')).toBe(2);
    expect(await site.read(post)).toEqual(before);
    await page.keyboard.press('Control+s');
    await told(page, `“${post.title}” was saved.`);
    await page.getByText(/ · changed .* by admin$/).waitFor();
  });

  it('ends on the service and in all tabs at log-out, after a confirmation if there is unsaved input', async () => {
    const { page, complaints } = await site.open('posts/create', OWN_PROFILE);
    complaints.allowRefusals(401);
    await titleField(page).fill('Unsaved');
    await poll(() => page.evaluate('localStorage.length')).toBe(1);
    const other = await page.context().newPage();
    await other.goto(site.url('changes'));
    await heading(other, 'Change log').waitFor();
    const token = await tokenOf(page);
    await page.bringToFront();
    const logOut = async (): Promise<void> => {
      await button(page, 'Account admin').click();
      await button(page, 'Log out').click();
    };
    await logOut();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await button(dialog, 'Stay').click();
    await poll(() => titleField(page).inputValue()).toBe('Unsaved');
    await logOut();
    await button(dialog, 'Leave').click();
    for (const tab of [page, other]) await heading(tab, 'Log in').waitFor();
    // The unsaved text is removed, too.
    await poll(() => page.evaluate('localStorage.length')).toBe(0);
    // The page does not wait for the response to the log-out.
    await poll(async () => (await site.service.get(CURRENT_SESSION, bearer(token))).status).toBe(401);
    expect([await tokenOf(page), await tokenOf(other)]).toEqual([undefined, undefined]);
    await other.bringToFront();
    await other.reload();
    await heading(other, 'Log in').waitFor();
    await logIn(other);
    await heading(other, 'Change log').waitFor();
    await page.bringToFront();
    await heading(page, 'Dashboard').waitFor();

    const elsewhere = await site.logIn();
    await button(page, 'Account admin').click();
    await button(page, 'Log out everywhere').click();
    for (const tab of [page, other]) await heading(tab, 'Log in').waitFor();
    expect((await elsewhere.get('sessions/current/')).status).toBe(401);
  });

  describe('tells the next account nothing about', () => {
    beforeAll(async () => {
      await (await site.logIn()).addAccount({ username: 'dora', role: 'editor' });
    });

    /** Delays the responses to writes. @returns a function that lets them through */
    async function delayWrites(page: Page, url: RegExp): Promise<() => Promise<void>> {
      let answer!: () => void;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await page.route(url, async (route) => {
        if (route.request().method() === 'GET') return route.continue();
        const response = await route.fetch();
        await answered;
        return route.fulfill({ response });
      });
      return async () => {
        const answering = page.waitForResponse(url);
        answer();
        await answering;
        // The responses of another page come later.
        await page.getByRole('link', { name: 'Export', exact: true }).click();
        await heading(page, 'Export').waitFor();
      };
    }

    /** Logs out while something runs, and logs another account in. */
    async function changeAccount(page: Page, username: string): Promise<void> {
      await button(page, 'Account admin').click();
      await button(page, 'Log out').click();
      await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Leave').click();
      await heading(page, 'Log in').waitFor();
      await logIn(page, username);
      await button(page, `Account ${username}`).waitFor();
    }

    async function expectNothingTold(page: Page, text: RegExp): Promise<void> {
      expect(await page.getByText(text).count()).toBe(0);
      expect(await page.getByRole('region', { name: 'Notice' }).count()).toBe(0);
      expect(await page.locator('#announcements').innerText()).not.toMatch(text);
    }

    it('a save that ends after its log-in', async () => {
      const { page } = await site.open(`posts/${post.id}`, OWN_PROFILE);
      const answer = await delayWrites(page, /\/posts\/\d+\/$/);
      await bodyField(page).fill('Saved late.');
      await button(page, 'Save').click();
      await changeAccount(page, 'dora');
      await answer();
      await expectNothingTold(page, / was saved/);
      expect(await site.read(post)).toMatchObject({ body: 'Saved late.' });
    });

    it('a deletion of many posts that ends after its log-in', async () => {
      await site.importPosts('Gone late', 3);
      const { page } = await site.open('posts?search=gone+late', OWN_PROFILE);
      const answer = await delayWrites(page, /\/bulk-deletions\/$/);
      await page.getByRole('checkbox', { name: 'Select all posts on this page' }).check();
      await button(page, 'Delete…').click();
      await button(page, 'Delete 3 posts').click();
      await page.getByText('Deleting…').waitFor();
      await changeAccount(page, 'dora');
      await answer();
      await expectNothingTold(page, /Deleting|deleted|Not logged in/);
      expect(await site.service.count('search=gone+late')).toBe(0);
    });
  });
});
