import { PASSWORD } from '../support/admin.js';
import { adminSite, tokenOf } from '../support/admin-site.js';
import { describeInBrowser } from '../support/browser.js';
import { bodyField, button, heading, logIn } from '../support/site-locators.js';
import { poll } from '../support/until.js';

/** Options give a test its own browser profile. */
const OWN_PROFILE = { locale: 'en-GB' };

describeInBrowser('the tabs of the administration site', () => {
  const site = adminSite();

  it('share the session: a middle click and a pasted address need no log-in', async () => {
    const { id } = await site.create({ title: 'Opened beside the list' });
    const { page } = await site.openAsStranger('posts', OWN_PROFILE);
    await heading(page, 'Log in').waitFor();
    await logIn(page);
    const [middle] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Opened beside the list' }).click({ button: 'middle' }),
    ]);
    await heading(middle, 'Opened beside the list').waitFor();
    const pasted = await page.context().newPage();
    await pasted.goto(site.url(`posts/${id}/history`));
    await heading(pasted, 'History of “Opened beside the list”').waitFor();
    expect(await tokenOf(pasted)).toBe(await tokenOf(page));
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  it('all end at a log-out, and all continue after a log-in in one of them', async () => {
    const { page } = await site.open('posts', OWN_PROFILE);
    await heading(page, 'Posts').waitFor();
    const other = await page.context().newPage();
    await other.goto(site.url('changes'));
    await heading(other, 'Change log').waitFor();
    await page.getByRole('button', { name: 'Account admin' }).click();
    await button(page, 'Log out').click();
    await heading(page, 'Log in').waitFor();
    await heading(other, 'Log in').waitFor();
    expect(await tokenOf(other)).toBeUndefined();
    await other.reload();
    await heading(other, 'Log in').waitFor();
    await logIn(other);
    await heading(other, 'Change log').waitFor();
    await heading(page, 'Dashboard').waitFor();
  });

  it('continue together after the session has expired', async () => {
    const { id } = await site.create({ title: 'Waits for the log-in' });
    const { page, complaints } = await site.open(`posts/${id}`, OWN_PROFILE);
    complaints.allowRefusals(401);
    await bodyField(page).fill('Typed before.');
    const other = await page.context().newPage();
    await other.goto(site.url('changes'));
    await heading(other, 'Change log').waitFor();
    const headers = { Authorization: `Bearer ${await tokenOf(page)}` };
    await site.request('DELETE', '/admin/api/sessions/current/', { headers });
    await button(page, 'Save').click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await other.getByRole('link', { name: 'Posts', exact: true }).click();
    const dialog = other.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(PASSWORD);
    await other.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    // The save that waited in the first tab goes on.
    await heading(page, 'Posts').waitFor();
    await poll(async () => (await site.read(id)).body).toBe('Typed before.');
  });
});
