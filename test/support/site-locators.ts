import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from './admin.js';
import { poll } from './until.js';

export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name });

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true });

/** The row of a table with this header. */
export const row = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

/** The fields of the form of a post. */
export const titleField = (page: Page): Locator => page.getByLabel(/^Title/);
export const bodyField = (page: Page): Locator => page.getByRole('textbox', { name: 'Body' });

/** Waits for a notice, which is not an error. */
export const told = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('region', { name: 'Notice' }).getByText(text, { exact: true }).waitFor();

/** Waits until screen readers were told exactly this text, by the live region that is always there. */
export const said = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('#announcements[role=status]').getByText(text, { exact: true }).last().waitFor();

/** Fills in the fields whose labels begin so. */
export async function fillIn(form: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await form.getByLabel(new RegExp(`^${label}`)).fill(value);
}

/** Waits until the input with this name has the focus. */
export const focused = (page: Page, name: string): Promise<void> =>
  page.locator(`[name=${name}]:focus`).waitFor();

/** Chooses what follows a save. The browser remembers it. */
export const afterSaving = (page: Page, what: string): Promise<unknown> =>
  page.getByLabel('After saving').selectOption(what);

/** The number of drafts that the browser keeps. */
export const draftsIn = (page: Page): Promise<number> =>
  page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('posts-admin.draft.')).length`);

/** Logs in on the log-in page. */
export async function logIn(page: Page, username = 'admin', password = PASSWORD): Promise<void> {
  await fillIn(page, { 'User name': username, Password: password });
  await page.keyboard.press('Enter');
}

/**
 * Takes the browser off the network, or back. The part of Chromium that sends requests learns of it later than the page: a
 * request that follows at once might still be sent, so this waits until requests do what they should.
 */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  await page.context().setOffline(isOffline);
  const reaches = `fetch('', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false)`;
  await poll(() => page.evaluate(reaches)).toBe(!isOffline);
}

/**
 * Waits until the browser's history has left the entry of a closed menu or dialog. The site steps back to the entry of its
 * page a moment later, and Chromium aborts a navigation that begins before that.
 */
export const historyLeftClosed = (page: Page): Promise<void> =>
  poll(() => page.evaluate('history.state?.isAbovePage ?? false')).toBe(false);

/**
 * Goes back once the browser's history has the entry of the open menu or dialog, which Back closes. The site adds the entry
 * after it shows what is open, and a dialog that stays gets its entry again: a Back before that leaves the page.
 */
export async function closeByBack(page: Page): Promise<void> {
  await poll(() => page.evaluate('history.state?.isAbovePage ?? false')).toBe(true);
  await page.goBack();
}
