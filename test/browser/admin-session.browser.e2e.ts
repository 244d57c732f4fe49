import type { Page } from 'playwright-core';
import { PASSWORD } from '../support/admin.js';
import { adminSite, tokenOf } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { bodyField, button, heading, logIn, titleField } from '../support/site-locators.js';
import { poll } from '../support/until.js';

describeInBrowser('the session of the administration site', () => {
  const site = adminSite(() => ({ BASE_PATH: '/blog' }));
  let post: PostJson;

  beforeAll(async () => {
    post = await site.create({ title: 'Kept through a log-in', body: 'As it was.' });
  });

  /** Ends the session, as its expiry or an administrator would. */
  async function endSession(page: Page): Promise<void> {
    const headers = { Authorization: `Bearer ${await tokenOf(page)}` };
    const response = await site.request('DELETE', '/admin/api/sessions/current/', { headers });
    expect(response.status).toBe(204);
  }

  it('requires a log-in, then shows the requested page', async () => {
    const { page } = await site.openAsStranger('posts?ordering=title&limit=10');
    await heading(page, 'Log in').waitFor();
    await poll(() => page.title()).toBe('Log in · Posts administration');
    await poll(() => page.evaluate('document.activeElement.name')).toBe('username');
    expect(await barriersOf(page)).toEqual([]);
    await logIn(page);
    await heading(page, 'Posts').waitFor();
    await poll(() => page.url()).toBe(site.url('posts?ordering=title&limit=10'));

    await page.reload();
    await page.getByRole('link', { name: 'Kept through a log-in' }).waitFor();
  });

  it('loads no more than 240 kB for its first page', async () => {
    const { page } = await site.open('posts', { extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } });
    await page.getByRole('link', { name: 'Kept through a log-in' }).waitFor();
    const bytes = await page.evaluate<number>(
      `performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0)`,
    );
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(240_000);
  });

  it('does not reveal whether the name or the password is wrong, and clears the password', async () => {
    const { page, complaints } = await site.openAsStranger();
    complaints.allowRefusals(401);
    await page.getByLabel('User name').waitFor();
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Enter your user name.').waitFor();
    await page.getByText('Enter your password.').waitFor();
    await logIn(page, 'admin', 'not the password');
    await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor();
    await page.locator('[name=password]:focus').waitFor();
    await poll(() => page.getByLabel(/^Password/).inputValue()).toBe('');
  });

  it('states how long to wait after too many attempts', async () => {
    const { page, complaints } = await site.openAsStranger();
    complaints.allowRefusals(429);
    await page.route('**/admin/api/sessions/', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '150' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 429, title: 'Too Many Requests', detail: 'Too many attempts.' }),
      }),
    );
    await logIn(page);
    await page.getByRole('alert').getByText('Too many attempts. Try again in 3 minutes.').waitFor();
  });

  it('reports that the service cannot be reached, and allows another attempt', async () => {
    const { page, complaints } = await site.openAsStranger('posts', { offline: false });
    complaints.allowOffline();
    await page.getByLabel('User name').waitFor();
    await page.context().setOffline(true);
    await logIn(page);
    await page
      .getByRole('alert')
      .getByText(/offline/)
      .waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Log in' }).click();
    await heading(page, 'Posts').waitFor();
  });

  it('asks for a new log-in in a dialog when it has ended, and keeps the input of the form', async () => {
    const { page, complaints } = await site.open(`posts/${post.id}`);
    complaints.allowRefusals(401);
    await bodyField(page).fill('Typed before the session ended.');
    await endSession(page);
    await button(page, 'Save').click();

    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.locator('[name=password]:focus').waitFor();
    await poll(() => dialog.getByLabel('User name').inputValue()).toBe('admin');
    expect(await barriersOf(page)).toEqual([]);
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await dialog.getByText('The user name or the password is wrong.').waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('was saved').waitFor();
    expect(await site.read(post.id)).toEqual({ ...post, body: 'Typed before the session ended.' });
  });

  it('asks once for a new log-in when several requests get 401', async () => {
    const { page, complaints } = await site.open('posts');
    complaints.allowRefusals(401);
    await page.getByRole('link', { name: 'Kept through a log-in' }).waitFor();
    await endSession(page);
    await page.getByLabel('Search title and body').fill('kept');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('1 of 1', { exact: true }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('ends on the service at log-out, after a confirmation if there is unsaved input', async () => {
    const { page } = await site.open('posts/create');
    await titleField(page).fill('Unsaved');
    const token = await tokenOf(page);
    const logOut = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Account admin' }).click();
      await button(page, 'Log out').click();
    };
    await logOut();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    await poll(() => titleField(page).inputValue()).toBe('Unsaved');
    await logOut();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await heading(page, 'Log in').waitFor();

    // The page does not wait for the response to the log-out.
    const headers = { Authorization: `Bearer ${token}` };
    const current = () => site.request('GET', '/admin/api/sessions/current/', { headers });
    await poll(async () => (await current()).status).toBe(401);
    await poll(() => page.evaluate("sessionStorage.getItem('posts-admin.session')")).toBe(null);
    await page.reload();
    await heading(page, 'Log in').waitFor();
    await logIn(page);
    await heading(page, 'Dashboard').waitFor();
  });
});
