import type { Locator, Page } from 'playwright-core';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import {
  afterSaving,
  bodyField,
  button,
  closeByBack,
  draftsIn,
  fillIn,
  heading,
  historyLeftClosed,
  logIn,
  said,
  titleField,
} from '../support/site-locators.js';
import { poll } from '../support/until.js';

const NEW_YORK = { timezoneId: 'America/New_York' };

describeInBrowser('the administration site in daily use', () => {
  const site = adminSite();

  const date = (page: Page): Locator => page.getByLabel(/^Date of publication/);
  /** Waits until the browser keeps this many drafts. */
  const kept = (page: Page, count: number): Promise<void> => poll(() => draftsIn(page)).toBe(count);
  const pageLink = (page: Page, number: number): Locator =>
    page.getByRole('link', { name: `Page ${number}`, exact: true });
  const selected = (page: Page): Promise<string[]> =>
    page.locator('tr.is-selected').getByRole('rowheader').getByRole('link').allInnerTexts();

  beforeAll(() => site.importPosts('Tern', 62, 'Terns fly far.'));

  it('has one time zone for filters, lists, the form and the history, which is chosen once', async () => {
    const { id } = await site.service.create({ title: 'Late in January', pub_date: '2019-02-01T03:30:00Z' });
    const { page } = await site.open('posts?from=2019-01-31&to=2019-01-31', NEW_YORK);
    await page.getByText('31 Jan 2019, 22:30 GMT-5').waitFor();
    await page.getByRole('link', { name: 'Late in January' }).click();
    await poll(() => date(page).inputValue()).toMatch(/^2019-01-31T22:30/);
    await button(page, 'Account admin').click();
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.keyboard.press('Escape');
    await poll(() => date(page).inputValue()).toMatch(/^2019-02-01T12:30/);
    await page.goto(site.url(`posts/${id}/history`));
    await page.getByText('2019-02-01 12:30:00 GMT+9').waitFor();
    await page.goto(site.url('posts?search=late'));
    await page.getByText('1 Feb 2019, 12:30 GMT+9').waitFor();
  });

  it('has a list that shows its position, has previous, next and first pages, and selects a range with Shift', async () => {
    // `end`: a bookmark of the former last page, which the list no longer has.
    const { page } = await site.open('posts?search=tern&ordering=title&end=12');
    await page.getByText('1–25 of 62', { exact: true }).waitFor();
    await button(page, 'Next').click();
    await page.getByText('26–50 of 62', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Tern 26' }).waitFor();
    await button(page, 'Next').click();
    await page.getByText('51–62 of 62', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tern 62' }).waitFor();
    await poll(() => button(page, 'Next').getAttribute('aria-disabled')).toBe('true');
    await poll(() => pageLink(page, 3).getAttribute('aria-current')).toBe('page');
    await button(page, 'Previous').click();
    await page.getByText('26–50 of 62', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tern 26' }).waitFor();
    // A jump to a page by its number, which a new tab can open, too.
    await pageLink(page, 3).click();
    await page.getByText('51–62 of 62', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tern 62' }).waitFor();
    const { page: tab } = await site.open(
      (await pageLink(page, 2).getAttribute('href'))!.replace('/admin/', ''),
    );
    await tab.getByRole('link', { name: 'Tern 26' }).waitFor();
    await pageLink(page, 1).click();
    await page.getByText('1–25 of 62', { exact: true }).waitFor();

    const box = (number: string): Locator => page.getByRole('checkbox', { name: `Select “Tern ${number}”` });
    await box('03').click();
    await box('06').click({ modifiers: ['Shift'] });
    await poll(() => selected(page)).toEqual(['Tern 03', 'Tern 04', 'Tern 05', 'Tern 06']);
    await box('05').focus();
    await page.keyboard.press('Shift+Space');
    await poll(() => selected(page)).toEqual(['Tern 03', 'Tern 04']);
    await said(page, '2 posts selected');
  });

  it('shows what has changed elsewhere when the tab gets the focus, sorts by it, and has no pages for one page', async () => {
    const [older, newer] = await site.service.createAll([{ title: 'Plover A' }, { title: 'Plover B' }]);
    const { page } = await site.open('posts?search=plover');
    const titles = (): Promise<string[]> => page.getByRole('rowheader').getByRole('link').allInnerTexts();
    await page.getByRole('link', { name: 'Plover B' }).waitFor();
    expect(await button(page, 'Next').count()).toBe(0);
    await site.service.put(older!.path, { title: 'Plover A, changed', body: '' });
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByRole('link', { name: 'Plover A, changed' }).waitFor();
    await button(page, 'Last changed').click();
    await page.waitForURL(/ordering=-modified/);
    await poll(titles).toEqual(['Plover A, changed', 'Plover B']);
    await button(page, 'Last changed').click();
    await poll(titles).toEqual(['Plover B', 'Plover A, changed']);
    await site.service.delete(newer!.path);
  });

  it('has a menu at each row, which Back closes, and leaves all but one of all posts', async () => {
    const { page } = await site.open('posts?search=tern');
    await button(page, 'Title').click();
    await page.waitForURL(/ordering=title/);
    await page.getByRole('link', { name: 'Tern 02' }).waitFor();
    const list = page.url();
    const actions = button(page, 'Actions for “Tern 02”');
    const entry = (name: string): Locator => page.getByRole('menuitem', { name });
    await actions.click();
    await poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Edit',
      'Duplicate',
      'History',
      'Delete…',
    ]);
    expect(await barriersOf(page)).toEqual([]);
    await entry('History').click();
    await heading(page, 'History of “Tern 02”').waitFor();
    await page.goBack();
    await actions.click();
    await closeByBack(page);
    await entry('Edit').waitFor({ state: 'detached' });
    await poll(() => page.url()).toBe(list);
    await actions.press('Enter');
    await entry('Delete…').press('Enter');
    const question = page.getByRole('dialog', { name: 'Delete this post?' });
    await question.waitFor();
    await closeByBack(page);
    await question.waitFor({ state: 'detached' });
    await poll(() => page.url()).toBe(list);
    await page.locator('button:focus[aria-label="Actions for “Tern 02”"]').waitFor();

    await page.getByRole('checkbox', { name: 'Select all posts on this page' }).check();
    await button(page, 'Select all 62 matching posts').click();
    // The button has gone.
    await page.locator('button:focus', { hasText: 'Clear selection' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select “Tern 03”' }).uncheck();
    await said(page, '61 posts selected');
    await button(page, 'Delete…').click();
    await page.getByRole('dialog', { name: 'Delete 61 posts?' }).waitFor();
    // On a phone, this is how one closes a dialog.
    await closeByBack(page);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await poll(() => page.url()).toBe(list);
    await page.getByText('61 posts selected').waitFor();
    await page.getByRole('link', { name: 'Export…' }).last().click();
    await page.getByText('61 that were selected').waitFor();
  });

  it('closes by Back what is open above the page, and nothing else, also on the first page of the site', async () => {
    const { page } = await site.open();
    const elsewhere = `${site.service.baseUrl}/openapi.json`;
    await page.goto(elsewhere);
    const list = site.url('posts?search=tern&ordering=title');
    await page.goto(list);
    await page.getByRole('link', { name: 'Tern 02' }).waitFor();
    const closesByBack = async (shown: Locator): Promise<void> => {
      await shown.waitFor();
      await closeByBack(page);
      await shown.waitFor({ state: 'detached' });
      await page.locator('h1', { hasText: 'Posts' }).waitFor();
      expect(page.url()).toBe(list);
    };
    const actions = button(page, 'Actions for “Tern 02”');
    const entry = (name: string): Locator => page.getByRole('menuitem', { name });
    await actions.click();
    await closesByBack(entry('Edit'));
    await actions.click();
    await entry('Delete…').click();
    await closesByBack(page.getByRole('dialog', { name: 'Delete this post?' }));
    const account = button(page, 'Account admin');
    await account.click();
    await closesByBack(page.getByRole('dialog', { name: 'Account admin' }));
    // A dialog with typed text asks before it closes. Back closes the question, too.
    await account.click();
    await button(page, 'Change my password').click();
    const password = page.getByRole('dialog', { name: 'Change the password of “admin”' });
    await fillIn(password, { 'New password': 'not finished' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await closeByBack(page);
    await closesByBack(question);
    await password.waitFor();
    await closeByBack(page);
    await button(question, 'Leave').click();
    await password.waitFor({ state: 'detached' });
    await historyLeftClosed(page);
    expect(page.url()).toBe(list);
    await page.setViewportSize({ width: 390, height: 760 });
    await button(page, 'Open the menu').click();
    await closesByBack(page.getByRole('navigation', { name: 'Main menu' }));
    await page.setViewportSize({ width: 1280, height: 900 });

    // After Escape, or after an entry that opens a page, Back needs no extra step.
    await account.click();
    await page.keyboard.press('Escape');
    await actions.click();
    await entry('History').click();
    await heading(page, 'History of “Tern 02”').waitFor();
    await page.goBack();
    await heading(page, 'Posts').waitFor();
    await page.goForward();
    await heading(page, 'History of “Tern 02”').waitFor();
    await page.goBack();
    await actions.click();
    await entry('Edit').waitFor();
    // A reload closes it.
    await page.reload();
    await actions.waitFor();
    await historyLeftClosed(page);
    await page.goBack();
    await poll(() => page.url()).toBe(elsewhere);
  });

  describe('unsaved text', () => {
    it('is restored after a reload, merged with newer changes, and removed when saved', async () => {
      const post = await site.service.create({ title: 'Typed over', body: 'Before.' });
      const { page, complaints } = await site.open(`posts/${post.id}`, NEW_YORK);
      page.on('dialog', (dialog) => void dialog.accept());
      await bodyField(page).fill('Hours of work.');
      await kept(page, 1);
      await site.service.put(post.path, { title: 'By others', body: 'Before.' });
      await page.reload();
      await page.getByText('There is unsaved text from').waitFor();
      expect(await barriersOf(page)).toEqual([]);
      await button(page, 'Restore it').press('Enter');
      await poll(() => bodyField(page).inputValue()).toBe('Hours of work.');
      await page.locator('[name=title]:focus').waitFor();
      // The changes that others saved meanwhile are not overwritten.
      complaints.allowRefusals(412);
      await button(page, 'Save').click();
      const conflict = page.getByRole('dialog', { name: 'This post was changed by another user' });
      await button(conflict, 'Save this').click();
      await heading(page, 'Posts').waitFor();
      expect(await site.read(post)).toMatchObject({ title: 'By others', body: 'Hours of work.' });
      await kept(page, 0);
    });

    it('is restored after an expired session, and removed when the user leaves', async () => {
      const { page } = await site.openAsStranger('posts/create', NEW_YORK);
      page.on('dialog', (dialog) => void dialog.accept());
      await logIn(page);
      await titleField(page).fill('Not lost');
      await kept(page, 1);
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await logIn(page);
      await button(page, 'Restore it').click();
      await poll(() => titleField(page).inputValue()).toBe('Not lost');
      await page.getByRole('link', { name: 'All posts' }).click();
      await button(page, 'Leave').click();
      await heading(page, 'Posts').waitFor();
      await kept(page, 0);
    });

    it('is kept for each tab, and only a closed tab leaves it to others', async () => {
      const { page } = await site.open('posts/create', NEW_YORK);
      const other = await page.context().newPage();
      await other.goto(site.url('posts/create'));
      for (const tab of [page, other]) tab.on('dialog', (dialog) => void dialog.accept());
      await titleField(page).fill('In one tab');
      await other.bringToFront();
      await titleField(other).fill('In another tab');
      await kept(page, 2);
      await afterSaving(other, 'Add another post');
      await button(other, 'Save').click();
      await kept(page, 1);
      await poll(() => titleField(other).inputValue()).toBe('');
      await bodyField(other).fill('Loading has ended.');
      await kept(page, 2);
      expect(await other.getByText('There is unsaved text from').count()).toBe(0);
      await page.bringToFront();
      await page.reload();
      await button(page, 'Restore it').click();
      await poll(() => titleField(page).inputValue()).toBe('In one tab');
    });

    it('of an open tab is not offered to another one, also where browsers offer no locks, as without TLS', async () => {
      const { page } = await site.open('posts', NEW_YORK);
      await page
        .context()
        .addInitScript(`Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`);
      await page.goto(site.url('posts/create'));
      page.on('dialog', (dialog) => void dialog.accept());
      await titleField(page).fill('Typed without locks');
      await kept(page, 1);
      const other = await page.context().newPage();
      await other.goto(site.url('posts/create'));
      await titleField(other).waitFor();
      // The other tab answers before this time.
      await other.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
      expect(await other.getByText('There is unsaved text from').count()).toBe(0);
      await page.bringToFront();
      await page.reload();
      await page.getByText('There is unsaved text from').waitFor();
      await button(page, 'Discard it').click();
      await page.locator('[name=title]:focus').waitFor();
      await kept(page, 0);
    });

    it('is saved without changing a body that is too large to show, which can be downloaded', async () => {
      const post = await site.service.create({
        title: 'Large',
        body: 'A line of a large text.\n'.repeat(220_000),
      });
      const { page } = await site.open(`posts/${post.id}`);
      await page.getByText('The text has 5.04 MiB.').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download it').click(),
      ]);
      expect(download.suggestedFilename()).toBe('body.txt');
      await titleField(page).fill('Large, with another title');
      await page.keyboard.press('Control+s');
      await heading(page, 'Large, with another title').waitFor();
      expect((await site.read(post)).body).toHaveLength(24 * 220_000);
      await site.service.delete(post.path);
    });
  });

  it('reports a changed role in an open page, and offers a viewer only what the role allows', async () => {
    const admin = await site.logIn();
    const account = { username: 'Vera', password: 'an editor’s password', role: 'editor' } as const;
    const person = await admin.addAccount(account);
    const { page, complaints } = await site.openAsStranger('posts/create', NEW_YORK);
    await logIn(page, account.username, account.password);
    await titleField(page).fill('Typed by an editor');
    await admin.change(person, { role: 'viewer' });
    complaints.allowRefusals(403);
    await button(page, 'Save').click();
    await page.getByText('An administrator has changed your role: it is now Viewer.').waitFor();
    await page.getByText('This request needs the role editor; your role is viewer.').waitFor();
    await poll(() => titleField(page).inputValue()).toBe('Typed by an editor');
    const menu = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
    const places = ['Dashboard', 'Posts', 'Deleted posts', 'Change log', 'Export'];
    await poll(() => menu.allInnerTexts()).toEqual(places);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Posts', exact: true }).click();
    await button(page.getByRole('dialog', { name: 'Leave without saving?' }), 'Leave').click();
    await heading(page, 'Posts').waitFor();
    await page.goBack();
    await heading(page, 'Your role does not include this page').waitFor();
    expect(await barriersOf(page)).toEqual([]);

    await page.goto(site.url('posts?search=tern'));
    await page.getByRole('link', { name: 'Tern 62' }).waitFor();
    expect(await page.getByRole('link', { name: 'Add post' }).count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Tern 62' }).click();
    await heading(page, 'Tern 62').waitFor();
    await page.getByText('Terns fly far.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await barriersOf(page)).toEqual([]);
    await button(page, 'Account Vera').click();
    await page.getByText('Viewer').waitFor();
    await button(page, 'Change my password').click();
    const dialog = page.getByRole('dialog', { name: 'Change the password of “Vera”' });
    const passwords = { 'Your current password': account.password, 'New password': 'a viewer’s password' };
    await fillIn(dialog, passwords);
    await button(dialog, 'Change').click();
    await page.getByText('The password of “Vera” is changed.').waitFor();
    await site.logIn('Vera', 'a viewer’s password');
  });
});
