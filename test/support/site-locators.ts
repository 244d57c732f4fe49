import type { Locator, Page } from 'playwright-core';
import { PASSWORD } from './admin.js';

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

/** Waits for a notice. */
export const told = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

/** Waits for a live region with exactly this text. */
export const said = (page: Page, text: string): Promise<void> => {
  const pattern = new RegExp(`^${text}$`);
  return page.getByRole('status').filter({ hasText: pattern }).waitFor();
};

/** Fills in the fields whose labels begin so. */
export async function fillIn(form: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await form.getByLabel(new RegExp(`^${label}`)).fill(value);
}

/** Waits until the input with this name has the focus. */
export const focused = (page: Page, name: string): Promise<void> =>
  page.locator(`[name=${name}]:focus`).waitFor();

/** Logs in on the log-in page. */
export async function logIn(page: Page, username = 'admin', password = PASSWORD): Promise<void> {
  await fillIn(page, { 'User name': username, Password: password });
  await page.keyboard.press('Enter');
}
