import { readFile } from 'node:fs/promises';
import { adminSite } from '../support/admin-site.js';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { logIn, row } from '../support/site-locators.js';
import { poll } from '../support/until.js';

describeInBrowser('the change log of the administration site', () => {
  const site = adminSite();

  it('groups failed log-ins, shows tokens, filters by action, and exports CSV', async () => {
    await (await site.logIn()).makeToken({ name: 'Nightly', role: 'viewer' });
    for (let count = 0; count < 3; count++) {
      await site.request('POST', '/admin/api/sessions/', { json: { username: 'admin', password: 'not it' } });
    }
    const { page } = await site.open('changes');
    await page.addInitScript('window.showSaveFilePicker = undefined;');
    await page.reload();
    const refused = row(page, 'admin').filter({ hasText: 'Log-in refused' });
    await refused.getByText('× 3').waitFor();
    await refused.getByText('from 127.0.0.1').waitFor();
    await row(page, 'Nightly').getByText('Token created').waitFor();
    await row(page, 'Nightly').getByText('viewer').waitFor();
    expect(await barriersOf(page)).toEqual([]);
    await page.getByLabel('Action').selectOption('Log-in refused');
    await row(page, 'Nightly').waitFor({ state: 'detached' });
    await page.getByText('1 of 1', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv.trim().split('\r\n')).toEqual([
      expect.stringContaining('action'),
      expect.stringContaining('login_failed'),
    ]);
  });

  it('shows a bulk action as one row, also for a permanent deletion confirmed by its count', async () => {
    const ids: number[] = [];
    for (const each of 'abc') ids.push((await site.create({ title: `Group ${each}` })).id);
    const { page } = await site.open('posts?search=group');
    await page.getByRole('checkbox', { name: 'Select all posts on this page' }).check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 3 posts' }).click();
    await page.getByText('3 posts were deleted.').waitFor();
    await page.goto(site.url('changes'));
    const deleted = row(page, /^3 posts/).filter({ hasText: 'Deleted' });
    await deleted.getByRole('button', { name: /^3 posts/ }).click();
    await deleted.getByRole('link', { name: 'Group b' }).waitFor();
    await poll(() => deleted.getByRole('listitem').count()).toBe(3);

    await page.goto(site.url('deleted-posts'));
    await page.getByRole('checkbox', { name: 'Select “Group a”' }).check();
    await page.getByRole('checkbox', { name: 'Select “Group c”' }).check();
    await page.getByRole('button', { name: 'Delete for good…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 posts for good?' });
    const confirm = dialog.getByRole('button', { name: 'Delete for good' });
    await dialog.getByLabel('Type 2 to confirm').fill('3');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 2 to confirm').fill('2');
    await confirm.click();
    await page.getByText('2 posts were deleted for good.').waitFor();
    await row(page, /Group b/).waitFor();
    await row(page, /Group a/).waitFor({ state: 'detached' });
    await page.goto(site.url('changes'));
    await row(page, /^2 posts/)
      .getByText('Deleted for good', { exact: true })
      .waitFor();
  });

  it('leads to what a change has changed, and finds changes by parts of names', async () => {
    const admin = await site.logIn();
    const { id } = await site.create({ title: 'Weathervane' });
    await admin.send('PUT', `/posts/${id}/`, { title: 'Weathercock', body: 'New.' });
    await admin.send('POST', `posts/${id}/revisions/1/restorations/`, { newest: 2 });
    const { page } = await site.open('changes');
    await page.getByLabel('Author').fill('dmi');
    await page.getByLabel('About').fill('eatherv');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await row(page, /^Weathervane/)
      .getByText('Restored', { exact: true })
      .waitFor();
    await page.getByRole('link', { name: 'What changed in “Weathervane”' }).click();
    await page.getByRole('heading', { level: 2, name: 'From version 2 to version 3' }).waitFor();
    await poll(() => page.getByRole('deletion').first().innerText()).toMatch(/Weathercock/);
  });

  it('names each export once, with its format, number and filter', async () => {
    const admin = await site.logIn();
    await site.create({ title: 'Sextant' });
    for (const format of ['csv', 'ndjson']) await admin.send('POST', 'exports/?search=sextant', { format });
    const { page } = await site.open('changes?action=exported');
    await page.getByText('1–2 of 2', { exact: true }).waitFor();
    await page.getByText('CSV, 1 post, search=sextant').waitFor();
    await page.getByText('NDJSON, 1 post, search=sextant').waitFor();
  });

  it('shows failed log-ins and addresses to administrators alone', async () => {
    const account = { username: 'Vera', password: 'a viewer’s password', role: 'viewer' } as const;
    await (await site.logIn()).addAccount(account);
    const { page } = await site.openAsStranger('changes');
    await logIn(page, account.username, account.password);
    await row(page, 'Vera').getByText('Account added').waitFor();
    expect(await page.getByText('from 127.0.0.1').count()).toBe(0);
    expect(await page.getByText('Log-in refused').count()).toBe(0);
  });
});
