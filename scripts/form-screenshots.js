// Takes the screenshots of the form for the documentation, docs/images/form-*.png, from a running service without
// posts: `node scripts/form-screenshots.js http://127.0.0.1:3000`. Set CHROMIUM if Chromium is not at Debian's path.
import { chromium } from 'playwright-core';
import { POSTS } from './screenshot-posts.js';

const WIDE = { width: 1120, height: 760 };
const PHONE = { width: 390, height: 760 };
const BASE = process.argv[2] ?? 'http://127.0.0.1:3000';

for (const post of POSTS.slice(0, 7)) {
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${BASE}/posts/`, { method: 'POST', headers, body: JSON.stringify(post) });
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
await take('post', '/posts/7/');
await take('fault', '/posts/?limit=2&colour=red', { colorScheme: 'dark' });
await take('phone', '/posts/7/', { viewport: PHONE });
await take('edit', '/docs/?id=1#/posts/replacePost', {}, async (page) => {
  await page.getByText('Loaded.').waitFor();
  await page.locator('[data-property-name=title]').evaluate((element) => element.scrollIntoView());
});
await browser.close();

/**
 * @param {string} name of the screenshot
 * @param {string} path of the page
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @param {(page: import('playwright-core').Page) => Promise<void>} prepare brings the page into the state to capture
 */
async function take(name, path, options = {}, prepare = responded) {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(BASE + path);
  await page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).waitFor();
  await prepare(page);
  await page.screenshot({ path: `docs/images/form-${name}.png`, animations: 'disabled', caret: 'hide' });
  await context.close();
}

/** @param {import('playwright-core').Page} page */
async function responded(page) {
  await page.locator('.live-responses-table').waitFor();
  await page.waitForLoadState('networkidle');
}
