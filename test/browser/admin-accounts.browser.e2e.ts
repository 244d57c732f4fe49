import { PASSWORD } from '../support/admin.js';
import { adminSite } from '../support/admin-site.js';
import { describeInBrowser } from '../support/browser.js';
import { aPost } from '../support/posts.js';
import { focused, logIn, row } from '../support/site-locators.js';
import { poll } from '../support/until.js';

const SECOND_PASSWORD = 'a second good password';
/** The service of these tests has no API_TOKENS. */
const OPEN_WRITES = /^Everybody who reaches this service can write posts with the API, without a token/;

describeInBrowser('accounts, tokens and figures in the administration site', () => {
  const site = adminSite();

  const addAccount = async (username: string) =>
    (await site.logIn()).addAccount({ username, password: SECOND_PASSWORD, role: 'administrator' });

  it('adds an account that can log in, and shows faults at their fields', async () => {
    const { page, complaints } = await site.open('accounts');
    complaints.allowRefusals(400, 409);
    await page.getByRole('button', { name: 'Add an account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an account' });
    const add = dialog.getByRole('button', { name: 'Add' });
    await dialog.getByText('At least 12 characters, 5 of them different, not counting').waitFor();
    await add.click();
    await dialog.getByText('Required.').nth(1).waitFor();
    await focused(page, 'username');
    await dialog.getByLabel(/^User name/).fill('ADMIN');
    await dialog.getByLabel(/^New password/).fill('short');
    await dialog.getByLabel(/^Your current password/).fill(PASSWORD);
    await add.click();
    await dialog.getByText(/must have 12 to/).waitFor();
    await dialog.getByRole('button', { name: 'Show the password' }).first().click();
    await poll(() => dialog.getByLabel(/^New password/).getAttribute('type')).toBe('text');
    await dialog.getByLabel(/^New password/).fill(SECOND_PASSWORD);
    await add.click();
    await dialog.getByText(/taken|already|exists/).waitFor();
    await focused(page, 'username');
    await dialog.getByLabel(/^User name/).fill('Zoë');
    for (const easy of ['aaaaaaaaaaaa', 'zoëzoëzoëzoë']) {
      await dialog.getByLabel(/^New password/).fill(easy);
      await add.click();
      await dialog
        .getByText('must have at least 5 different characters, not counting the user name')
        .waitFor();
    }
    await dialog.getByLabel(/^New password/).fill(SECOND_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The account “Zoë” is added.').waitFor();
    await row(page, 'Zoë').getByText('Never').waitFor();

    await site.logIn('zoë', SECOND_PASSWORD);
    await page.reload();
    await row(page, 'Zoë').getByText('Enabled').waitFor();
    expect(await row(page, 'Zoë').getByText('Never').count()).toBe(0);
  });

  it('disables an account, which logs it out at once, and enables it again', async () => {
    await addAccount('Disabled');
    const person = await site.logIn('Disabled', SECOND_PASSWORD);
    const { page } = await site.open('accounts');
    await page.getByRole('button', { name: 'Disable “Disabled”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable this account?' });
    await dialog.getByText('The API tokens that it made are revoked for good.').waitFor();
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('“Disabled” is disabled and logged out; its API tokens are revoked.').waitFor();
    expect((await person.get('sessions/current/')).status).toBe(401);
    await page.getByRole('button', { name: 'Enable “Disabled”' }).click();
    await page.getByText('“Disabled” can log in again.').waitFor();
    await site.logIn('Disabled', SECOND_PASSWORD);
  });

  it('requires the current password to change a password', async () => {
    await addAccount('Changing');
    const { page, complaints } = await site.openAsStranger('accounts');
    await logIn(page, 'Changing', SECOND_PASSWORD);
    await page.getByRole('button', { name: 'Change password of “Changing”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the password of “Changing”' });
    await dialog.getByLabel(/^Your current password/).fill('not this one, surely');
    await dialog.getByLabel(/^New password/).fill('a third good password');
    complaints.allowRefusals(400, 401, 403);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await dialog.locator('.Mui-error').first().waitFor();
    await focused(page, 'current_password');
    await dialog.getByLabel(/^Your current password/).fill(SECOND_PASSWORD);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await dialog.waitFor({ state: 'detached' });
    await site.logIn('Changing', 'a third good password');
  });

  it('asks for the current password to make an administrator', async () => {
    await (await site.logIn()).addAccount({ username: 'Rising' });
    const { page, complaints } = await site.open('accounts');
    complaints.allowRefusals(400);
    await page.getByRole('button', { name: 'Change role of “Rising”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the role of “Rising”' });
    await dialog.getByLabel(/^Role/).selectOption('Administrator');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await focused(page, 'current_password');
    await dialog.getByText(/^Your own current password is required/).waitFor();
    await dialog.getByLabel(/^Your current password/).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await row(page, 'Rising').getByText('Administrator').waitFor();
  });

  it('shows the API tokens of an account at a change of its password, and revokes them', async () => {
    await addAccount('Leaving');
    await (await site.logIn('Leaving', SECOND_PASSWORD)).makeToken({ name: 'Left behind' });
    const { page } = await site.open('accounts');
    await page.getByRole('button', { name: 'Change password of “Leaving”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the password of “Leaving”' });
    await dialog.getByText('“Left behind”').waitFor();
    await dialog.getByLabel('1 API token of the account').selectOption('Revoke');
    await dialog.getByLabel(/^Your current password/).fill(PASSWORD);
    await dialog.getByLabel(/^New password/).fill('a third good password');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('The password of “Leaving” is changed.').waitFor();
    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByText('There are no API tokens yet.').waitFor();
  });

  it('logs out everywhere', async () => {
    await addAccount('Many tabs');
    const elsewhere = await site.logIn('Many tabs', SECOND_PASSWORD);
    const { page, complaints } = await site.openAsStranger('accounts');
    complaints.allowRefusals(401);
    await logIn(page, 'Many tabs', SECOND_PASSWORD);
    await page.getByRole('button', { name: 'Account Many tabs' }).click();
    await page.getByRole('button', { name: 'Log out everywhere' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect((await elsewhere.get('sessions/current/')).status).toBe(401);
  });

  it('creates a token that is shown once, names it in the change log, and revokes it', async () => {
    const { page } = await site.open('tokens', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByText('There are no API tokens yet.').waitFor();
    await page.getByText(OPEN_WRITES).waitFor();
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = page.getByRole('dialog', { name: 'Create a token' });
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('Required.').first().waitFor();
    await form.getByLabel(/^Name/).fill('Nightly import');
    await form.getByLabel(/^Your current password/).fill(PASSWORD);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'The token “Nightly import”' });
    const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
    expect(token).toMatch(/^pst_/);
    await dialog.getByRole('button', { name: 'Copy' }).click();
    await dialog.getByText('The token is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    await row(page, 'Nightly import').getByText('Does not expire').waitFor();
    await row(page, 'Nightly import').getByText('Never').waitFor();

    const write = async (): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await site.request('POST', '/posts/', { json: aPost({ title: 'By a program' }), headers }))
        .status;
    };
    expect(await write()).toBe(201);
    await page.reload();
    await row(page, 'Nightly import').getByText('Does not expire').waitFor();
    expect(await row(page, 'Nightly import').getByText('Never').count()).toBe(0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await row(page, 'By a program').getByText('Token “Nightly import”').waitFor();

    await page.getByRole('link', { name: 'API tokens' }).click();
    await page.getByRole('button', { name: 'Revoke “Nightly import”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The token is revoked.').waitFor();
    await page.getByText('There are no API tokens yet.').waitFor();
    expect(await write()).toBe(401);
  });

  it('makes a token that expires at the end of a day, and marks expired tokens', async () => {
    const { page, complaints } = await site.open('tokens');
    complaints.allowRefusals(400);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const form = page.getByRole('dialog', { name: 'Create a token' });
    const lastDay = form.getByLabel('Last day');
    await form.getByLabel(/^Name/).fill('Until the end');
    await form.getByLabel(/^Your current password/).fill(PASSWORD);
    await form.getByLabel(/^Role/).selectOption('Viewer');
    await lastDay.fill('2020-01-01');
    await form.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The time must be in the future.').waitFor();
    await page.locator('[type=date]:focus').waitFor();
    await lastDay.fill('2126-11-20');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).click();
    const nextMidnight = await page.evaluate('new Date(2126, 10, 21).toISOString()');
    const expiry = row(page, 'Until the end').locator('time').nth(1);
    expect(await expiry.getAttribute('datetime')).toBe(nextMidnight);
    await row(page, 'Until the end').getByText('Viewer').waitFor();

    expect(await row(page, 'Until the end').getByText('Expired', { exact: true }).count()).toBe(0);
    const now = new Date().toISOString();
    await site.service.database.execute(`UPDATE api_tokens SET expires_at = '${now}'`);
    await page.reload();
    await row(page, 'Until the end').getByText('Expired', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Revoke “Until the end”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('There are no API tokens yet.').waitFor();
  });

  it('shows posts per month, the state of the service, and the last changes', async () => {
    const now = new Date();
    const month = now.toLocaleString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await site.create({ title: 'Of the month', pub_date: now.toISOString() });
    const { page } = await site.open();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.getByText('OK', { exact: true }).waitFor();
    await page.getByText(OPEN_WRITES).waitFor();
    await page.getByText('SQLite').waitFor();
    await row(page, 'Of the month').getByText('Created').waitFor();
    const months = page.getByRole('list', { name: 'Posts per month' }).getByRole('link');
    await months.first().waitFor();
    expect(await months.first().innerText()).toMatch(new RegExp(`^${month}\\s+[1-9]`));
    await months.first().click();
    await page.getByRole('link', { name: 'Of the month' }).waitFor();
    await page.waitForURL(/\/posts\?from=\d{4}-\d\d-01&to=/);
    await page.goBack();
    await page.getByRole('link', { name: /^[1-9][\d,]*$/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
  });
});
