import type { Route } from 'playwright-core';
import { bearer, PASSWORD } from '../support/admin.js';
import { adminSite } from '../support/admin-site.js';
import { describeInBrowser, withClipboard } from '../support/browser.js';
import { aPost } from '../support/posts.js';
import {
  button,
  closeByBack,
  fillIn,
  focused,
  heading,
  historyLeftClosed,
  row,
  told,
} from '../support/site-locators.js';
import { poll } from '../support/until.js';

const SECOND_PASSWORD = 'a second good password';
const THIRD_PASSWORD = 'a third good password';
/** The service of these tests has no API_TOKENS. */
const OPEN_WRITES = /^Everybody who reaches this service can write posts with the API, without a token/;

describeInBrowser('accounts, tokens and figures in the administration site', () => {
  const site = adminSite();

  it('adds an account, changes its role and its password, and disables it, with faults at their fields', async () => {
    const admin = await site.logIn();
    const { page, complaints } = await site.open('accounts');
    complaints.allowRefusals(400, 409);
    const dialog = page.getByRole('dialog');
    await button(page, 'Add an account').click();
    await dialog.getByText('At least 12 characters, 5 of them different, not counting').waitFor();
    await button(dialog, 'Add').click();
    await dialog.getByText('Required.').nth(1).waitFor();
    await focused(page, 'username');
    const added = { 'User name': 'ADMIN', 'New password': SECOND_PASSWORD };
    await fillIn(dialog, { ...added, 'Your current password': PASSWORD });
    await dialog.getByRole('button', { name: 'Show the password' }).first().click();
    await poll(() => dialog.getByLabel(/^New password/).getAttribute('type')).toBe('text');
    await button(dialog, 'Add').click();
    await dialog.getByText(/taken|already|exists/).waitFor();
    await focused(page, 'username');
    await fillIn(dialog, { 'User name': 'Zoë' });
    await page.keyboard.press('Enter');
    await told(page, 'The account “Zoë” is added.');
    const account = row(page, 'Zoë');
    await account.getByText('Never').waitFor();

    const person = await site.logIn('zoë', SECOND_PASSWORD);
    await historyLeftClosed(page);
    await page.reload();
    await account.getByText('Enabled').waitFor();
    expect(await account.getByText('Never').count()).toBe(0);
    await button(page, 'Role… “Zoë”').click();
    await dialog.getByLabel(/^Role/).selectOption('Administrator');
    await button(dialog, 'Change').click();
    await focused(page, 'current_password');
    await dialog.getByText(/^Your own current password is required/).waitFor();
    await fillIn(dialog, { 'Your current password': PASSWORD });
    await button(dialog, 'Change').click();
    await account.getByText('Administrator').waitFor();

    await person.makeToken({ name: 'Left behind' });
    await button(page, 'Password… “Zoë”').click();
    // Password managers learn to which account each password belongs.
    const names = `[...document.querySelectorAll('[role=dialog] form')].map((form) =>
      Array.from(form.querySelectorAll('[autocomplete]'), ({ autocomplete, value }) => autocomplete + ' ' + value))`;
    await poll(() => page.evaluate(names)).toEqual([
      ['username Zoë', 'new-password ', 'off false'],
      ['username admin', 'current-password '],
    ]);
    await dialog.getByLabel('API tokens that the account has made').selectOption('Revoke');
    await fillIn(dialog, { 'New password': THIRD_PASSWORD, 'Your current password': 'not this one, surely' });
    // The dialog waits for the response.
    const escape = async (route: Route): Promise<void> => {
      await page.keyboard.press('Escape');
      await route.continue();
    };
    await page.route('**/admin/api/accounts/*/', escape, { times: 1 });
    await page.keyboard.press('Enter');
    await dialog.locator('.Mui-error').first().waitFor();
    await focused(page, 'current_password');
    await fillIn(dialog, { 'Your current password': PASSWORD });
    await button(dialog, 'Change').click();
    await told(page, 'The password of “Zoë” is changed.');
    expect((await admin.get('tokens/')).json()).toEqual([]);

    await button(page, 'Disable “Zoë”').click();
    await dialog.getByText('The API tokens that it made are revoked for good.').waitFor();
    await button(dialog, 'Disable').click();
    await told(page, '“Zoë” is disabled and logged out; its API tokens are revoked.');
    await account.getByText('Disabled').waitFor();
    await button(page, 'Enable… “Zoë”').click();
    await fillIn(dialog, { 'Your current password': PASSWORD });
    await button(dialog, 'Enable').click();
    await told(page, '“Zoë” can log in again.');
    await site.logIn('Zoë', THIRD_PASSWORD);
  });

  it('creates a token that is shown once, names it in the change log, and revokes it', async () => {
    const { page, complaints } = await site.open('', { permissions: ['clipboard-read', 'clipboard-write'] });
    complaints.allowRefusals(400);
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByText('There are no API tokens yet.').waitFor();
    await page.getByText(OPEN_WRITES).waitFor();
    await button(page, 'Create a token').click();
    const form = page.getByRole('dialog', { name: 'Create a token' });
    const lastDay = form.getByLabel('Last day');
    await button(form, 'Create').click();
    await form.getByText('Required.').first().waitFor();
    await fillIn(form, { Name: 'Nightly import', 'Your current password': PASSWORD });
    await lastDay.focus();
    await page.keyboard.type('0231');
    await button(form, 'Create').click();
    await form.getByText('Enter a whole date, or none.').waitFor();
    await lastDay.fill('2020-01-01');
    await button(form, 'Create').click();
    await page.getByText('The time must be in the future.').waitFor();
    await page.locator('[type=date]:focus').waitFor();
    await lastDay.fill('2126-11-20');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'The token “Nightly import”' });
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    expect(token).toMatch(/^pst_/);
    await withClipboard(async () => {
      await button(dialog, 'Copy').click();
      await dialog.getByText('The token is copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    });
    expect((await button(dialog, 'Copy').boundingBox())!.height).toBeLessThan(45);
    await page.keyboard.press('Escape');
    await closeByBack(page);
    await button(page.getByRole('dialog', { name: 'Leave without the token?' }), 'Stay').click();
    await button(dialog, 'Done').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    const entry = row(page, 'Nightly import');
    await entry.getByText('Never').waitFor();
    const nextMidnight = await page.evaluate('new Date(2126, 10, 21).toISOString()');
    expect(await entry.locator('time').nth(1).getAttribute('datetime')).toBe(nextMidnight);

    expect((await site.service.post(aPost({ title: 'By a program' }), bearer(token))).status).toBe(201);
    // The service notes the use of a token in the background.
    const used = 'SELECT last_used_at IS NOT NULL AS "isNoted" FROM api_tokens';
    await poll(() => site.service.database.query(used)).toEqual([{ isNoted: 1 }]);
    // The page knows the time of the service to a second.
    const before = new Date(Date.now() - 60_000).toISOString();
    await site.service.database.execute(`UPDATE api_tokens SET expires_at = '${before}'`);
    expect(await entry.getByText('Expired', { exact: true }).count()).toBe(0);
    await historyLeftClosed(page);
    await page.reload();
    await entry.getByText('Expired', { exact: true }).waitFor();
    expect(await entry.getByText('Never').count()).toBe(0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await row(page, 'By a program').getByText('Token “Nightly import”').waitFor();

    await page.getByRole('link', { name: 'API tokens' }).click();
    await button(page, 'Revoke “Nightly import”').click();
    await button(page.getByRole('dialog'), 'Revoke').click();
    await told(page, 'The token is revoked.');
    await page.getByText('There are no API tokens yet.').waitFor();
  });

  it('shows the number of posts, in all and per month, the database, and the last changes', async () => {
    const now = new Date();
    const month = now.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await site.service.create({ title: 'Of the month', pub_date: now.toISOString() });
    const { page } = await site.open();
    await heading(page, 'Dashboard').waitFor();
    await page.getByText(OPEN_WRITES).waitFor();
    await page.getByText(/ · SQLite, \d.* · version \d/).waitFor();
    await row(page, 'Of the month').getByText('Created').waitFor();
    const months = page.getByRole('list', { name: 'Posts per month' }).getByRole('link');
    await months.first().waitFor();
    const barColour = 'getComputedStyle(document.querySelector(".bar")).backgroundColor';
    const colour = await page.evaluate(barColour);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await page.evaluate(barColour)).toBe(colour);
    await poll(() => months.first().innerText()).toMatch(new RegExp(`^${month}\\s+[1-9]`));
    // Also months without posts.
    await poll(() => months.count()).toBe(12);
    await poll(() => months.last().innerText()).toMatch(/\s0$/);
    await months.first().click();
    await page.getByRole('link', { name: 'Of the month' }).waitFor();
    await page.waitForURL(/\/posts\?from=\d{4}-\d\d-01&to=.*&zone=UTC$/);
    await page.goBack();
    await page.getByRole('link', { name: /^\d+ posts$/ }).click();
    await heading(page, 'Posts').waitFor();
  });
});
