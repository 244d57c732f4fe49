import type { AdminClient } from '../support/admin.js';
import { adminSite } from '../support/admin-site.js';
import { describeInBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { row } from '../support/site-locators.js';
import { poll } from '../support/until.js';

describeInBrowser('the history in the administration site', () => {
  const site = adminSite();
  let admin: AdminClient;

  beforeAll(async () => {
    admin = await site.logIn();
  });

  async function change(id: number, json: Partial<PostJson>): Promise<void> {
    const response = await admin.send('PUT', `/posts/${id}/`, json);
    expect(response.status).toBe(200);
  }

  /** Creates a post and updates it once for each further body. */
  async function postWithBodies(title: string, [first, ...others]: readonly string[]): Promise<PostJson> {
    const post = await site.create({ title, body: first! });
    for (const body of others) await change(post.id, { title, body });
    return post;
  }

  async function deletedPost(title: string): Promise<PostJson> {
    const post = await site.create({ title });
    const response = await admin.send('DELETE', `/posts/${post.id}/`);
    expect(response.status).toBe(204);
    return post;
  }

  it('shows the last change, and the differences between any two versions', async () => {
    const { id } = await postWithBodies('A walk', [
      'One\nTwo words\n',
      'One\nTwo things\n',
      'One\n<b>x</b>\n',
    ]);
    const { page } = await site.open(`posts/${id}/history`);
    await page.getByRole('heading', { level: 1, name: 'History of “A walk”' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'From version 2 to version 3' }).waitFor();
    // Bodies are shown as text, not as HTML.
    await page.getByRole('insertion').getByText('<b>x</b>').waitFor();
    await poll(() => page.getByRole('deletion').allTextContents()).toEqual(['Removed: Two things']);
    await row(page, '3 (current)').waitFor();
    expect(await row(page, '3 (current)').getByRole('cell').allInnerTexts()).toEqual([
      'Changed',
      'admin',
      expect.any(String),
      'A walk',
      'What changed',
    ]);
    await row(page, '1').getByText('API, without a token').waitFor();

    await row(page, '2').getByRole('button', { name: 'What changed in version 2' }).click();
    await page.getByRole('heading', { level: 2, name: 'From version 1 to version 2' }).waitFor();
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('From version 1 to version 2');
    await page.locator('mark').nth(1).waitFor();
    await poll(() => page.locator('mark').allInnerTexts()).toEqual(['words', 'things']);

    await page.getByRole('combobox', { name: 'To version' }).selectOption('3');
    await page.getByRole('heading', { level: 2, name: 'From version 1 to version 3' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'From version 1 to version 3' }).waitFor();

    await page
      .getByRole('combobox', { name: 'From version' })
      .selectOption('Nothing: show the whole version');
    await page.getByText('One\n<b>x</b>').waitFor();
  });

  it('restores a version only if the post has not changed since it was shown', async () => {
    const { id, pub_date } = await postWithBodies('To be restored', ['The first.', 'The second.']);
    const { page, complaints } = await site.open(`posts/${id}/history`);
    const restore = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Restore version 1', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    };
    await row(page, '2 (current)').waitFor();
    await change(id, { title: 'To be restored', body: 'Somebody was faster.' });
    complaints.allowRefusals(412);
    await restore();
    await page.getByText('The post was changed meanwhile.').waitFor();
    expect((await site.read(id)).body).toBe('Somebody was faster.');

    await row(page, '3 (current)').waitFor();
    await restore();
    await page.getByText('Version 1 is restored.').waitFor();
    await row(page, '4 (current)').waitFor();
    expect(await site.read(id)).toEqual({ id, title: 'To be restored', pub_date, body: 'The first.' });
  });

  it('finds deleted posts, and restores selected ones with their ids', async () => {
    const [one, two, three] = [
      await deletedPost('Lost: one'),
      await deletedPost('Lost: two'),
      await deletedPost('Kept away'),
    ];
    const { page } = await site.open('deleted-posts');
    await row(page, /Kept away/).waitFor();
    await page.getByLabel('Search in titles').fill('lost');
    await page.keyboard.press('Enter');
    await page.waitForURL(site.url('deleted-posts?search=lost'));
    await row(page, /Lost: one/).waitFor();
    await row(page, /Kept away/).waitFor({ state: 'detached' });
    await page.getByLabel('Select all posts on this page').check();
    await page.getByRole('button', { name: 'Restore 2 posts' }).click();
    await page.getByText('2 posts were restored.').waitFor();
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.locator('h1:focus').waitFor();
    expect(await site.read(one.id)).toEqual(one);
    expect(await site.read(two.id)).toEqual(two);
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await row(page, /Kept away/)
      .getByText(`Post ${three.id}`)
      .waitFor();
  });

  it('deletes a post permanently after a confirmation, with the keyboard alone', async () => {
    const { id } = await deletedPost('Gone for good');
    const { page } = await site.open('deleted-posts');
    const purge = page.getByRole('button', { name: 'Delete for good: “Gone for good”' });
    await purge.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete this post for good?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus').getByText('Delete for good').waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('1 post was deleted for good.').waitFor();
    await purge.waitFor({ state: 'detached' });
    // The button that opened the dialog was removed with its row, so the heading gets the focus.
    await page.locator('h1:focus').waitFor();

    await page.getByRole('link', { name: 'Change log' }).click();
    await row(page, `Post ${id}`).getByText('Deleted for good', { exact: true }).waitFor();
  });

  it('reports that a post has never existed', async () => {
    const { page, complaints } = await site.open('posts/987654/history');
    complaints.allowRefusals(404);
    await page.getByText('There has never been a post with this id').waitFor();
  });

  it('filters the change log by the parameters in the address', async () => {
    const { id } = await postWithBodies('In the log', ['1', '2']);
    const { page } = await site.open(`changes?post_id=${id}`);
    const whats = async (): Promise<string[]> => {
      await page.getByRole('table').waitFor();
      const cells = await page.getByRole('row').getByRole('cell').allInnerTexts();
      return cells.filter((_, index) => index % 3 === 0);
    };
    await poll(() => whats()).toEqual(['Changed', 'Created']);
    await page.getByRole('combobox', { name: 'Action' }).selectOption('Created');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await row(page, /In the log/)
      .filter({ hasText: 'Changed' })
      .waitFor({ state: 'detached' });
    await poll(() => whats()).toEqual(['Created']);
    await poll(() => new URL(page.url()).search).toBe(`?post_id=${id}&action=created&after=2020-01-01`);
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    await row(page, /In the log/).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('link', { name: 'In the log' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'History of “In the log”' }).waitFor();
  });

  it('divides a long change log into pages', async () => {
    const { id } = await site.create({ title: 'Changed often' });
    for (let index = 0; index < 60; index++) await change(id, { title: 'Changed often', body: `${index}` });
    const { page } = await site.open(`changes?post_id=${id}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('table').getByText('Created', { exact: true }).waitFor();
    await poll(() => page.getByRole('rowheader').count()).toBe(11);
    await page.getByText('51–61 of 61').waitFor();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByRole('table').getByText('Created', { exact: true }).waitFor({ state: 'detached' });
    await poll(() => page.getByRole('rowheader').count()).toBe(50);
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.getByRole('table').getByText('Created', { exact: true }).waitFor();
  });
});
