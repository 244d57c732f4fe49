// Takes the screenshots for the documentation, of the administration site (docs/images/admin-*.png) and of the form of
// the API (form-*.png). Needs `npm run build` and Chromium (set CHROMIUM if it is not at Debian's path).
import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AMBIGUOUS_CSV, CSV, POSTS, WALK_CHANGED } from './screenshot-posts.js';

const PASSWORD = 'correct horse battery';
const WIDE = { width: 1120, height: 760 };
const PHONE = { width: 390, height: 760 };

const folder = await mkdtemp(join(tmpdir(), 'posts-screenshots-'));
const service = spawn(process.execPath, ['bin/posts-service.cjs'], {
  env: {
    ...process.env,
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`,
    ADMIN_PASSWORD: PASSWORD,
    LOG_FORMAT: 'json',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const stopped = once(service, 'exit');
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

try {
  const base = await addressOf(service);
  await seed(base);
  await takeForm(base);
  await takeSite(base);
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await stopped;
  await rm(folder, { recursive: true });
}

/** Reads the service's address from its log. @param {import('node:child_process').ChildProcess} child */
async function addressOf(child) {
  for await (const line of createInterface({ input: /** @type {NodeJS.ReadableStream} */ (child.stdout) })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address) {
      child.stdout?.resume();
      return address;
    }
  }
  throw new Error('The service did not start: run `npm run build`.');
}

/** @param {string} base @param {string} method @param {string} path @param {object} [json] @param {string} [token] */
async function send(base, method, path, json, token) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(json && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(json && { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? {} : await response.json();
}

/** @param {string} base @param {string} username */
async function logIn(base, username, password = PASSWORD) {
  return send(base, 'POST', '/admin/api/sessions/', { username, password });
}

/** Creates posts that several accounts have written, changed and deleted. @param {string} base */
async function seed(base) {
  const { token } = await logIn(base, 'admin');
  for (const [username, role] of [
    ['zoe', 'editor'],
    ['vera', 'viewer'],
  ]) {
    const account = { username, role, password: PASSWORD, current_password: PASSWORD };
    await send(base, 'POST', '/admin/api/accounts/', account, token);
  }
  const zoe = (await logIn(base, 'zoe')).token;
  const named = { name: 'Nightly import', current_password: PASSWORD };
  const program = await send(base, 'POST', '/admin/api/tokens/', named, token);
  const writers = [token, zoe, program.token];
  for (const [index, post] of POSTS.entries()) {
    await send(base, 'POST', '/posts/', post, writers[index % writers.length]);
  }
  const [walk] = POSTS;
  await send(base, 'PUT', '/posts/1/', { ...walk, title: WALK_CHANGED.title }, zoe);
  await send(base, 'PUT', '/posts/1/', WALK_CHANGED, token);
  for (let count = 0; count < 3; count++) await logIn(base, 'zoe', 'a wrong password').catch(() => undefined);
  for (const id of [20, 21, 22]) await send(base, 'DELETE', `/posts/${id}/`, undefined, zoe);
  await send(base, 'POST', '/admin/api/restorations/', { post_ids: [20, 21, 22] }, zoe);
  await send(base, 'DELETE', '/posts/5/', undefined, zoe);
  await send(base, 'DELETE', '/posts/9/', undefined, program.token);
  await send(base, 'DELETE', '/posts/13/', undefined, token);
}

/** @param {string} base */
async function takeForm(base) {
  await takeOfForm(base, 'post', '/posts/7/');
  await takeOfForm(base, 'fault', '/posts/?limit=2&colour=red', { colorScheme: 'dark' });
  await takeOfForm(base, 'phone', '/posts/7/', { viewport: PHONE });
  await takeOfForm(base, 'edit', '/docs/?id=2#/posts/replacePost', {}, async (page) => {
    await page.getByText('Loaded.').waitFor();
    await page.locator('[data-property-name=title]').evaluate((element) => element.scrollIntoView());
  });
}

/**
 * @param {string} base
 * @param {string} name of the screenshot
 * @param {string} path of the page
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @param {(page: import('playwright-core').Page) => Promise<void>} prepare brings the page into the state to capture
 */
async function takeOfForm(base, name, path, options = {}, prepare = responded) {
  const page = await openPage(options);
  await page.goto(base + path);
  await page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).waitFor();
  await prepare(page);
  await capture(page, `form-${name}`);
}

/** @param {import('playwright-core').Page} page */
async function responded(page) {
  await page.locator('.live-responses-table').waitFor();
}

/** @param {string} base */
async function takeSite(base) {
  await take(base, 'dashboard', '', async (page) => {
    await page.getByText('Recent changes').first().waitFor();
  });
  await take(base, 'list', 'posts?search=the&columns=id%2Ctitle%2Cpub_date%2Cexcerpt', shown);
  await take(base, 'editor', 'posts/2', async (page) => {
    await page.getByLabel(/^Date of publication/).fill('2026-10-25T02:30');
    await page.getByText('occurs twice').waitFor();
  });
  await take(base, 'roles', 'accounts', async (page) => {
    await page.getByRole('button', { name: 'Change role of “vera”' }).click();
    await page.getByRole('dialog').waitFor();
  });
  await take(base, 'audit', 'changes', async (page) => {
    await page.getByRole('button', { name: '3 posts' }).click();
    await page.getByRole('listitem').getByRole('link').first().waitFor();
  });
  await take(base, 'form-errors', 'posts/create', async (page) => {
    await page.getByLabel(/^Title/).fill('   ');
    await page.getByRole('textbox', { name: 'Body' }).fill('A text without a title.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('1 field has a fault').waitFor();
  });
  await take(base, 'conflict', 'posts/2', async (page) => {
    await page.getByLabel(/^Title/).fill('The old ferry, and its last captain');
    const { token } = await logIn(base, 'zoe');
    const body = 'For ninety years it has crossed the harbour, every thirty minutes.';
    await send(base, 'PUT', '/posts/2/', { title: 'The old ferry sails again', body }, token);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  });
  await take(base, 'history', 'posts/1/history', shown);
  await take(base, 'deleted', 'deleted-posts', shown);
  await take(base, 'import', 'import', async (page) => {
    await choose(page, CSV);
    await page.getByRole('button', { name: 'Check the file' }).click();
    await page.getByRole('table', { name: 'Faults of the file' }).waitFor();
    await page.getByRole('table', { name: 'Faults of the file' }).scrollIntoViewIfNeeded();
  });
  await take(base, 'import-dates', 'import', async (page) => {
    await choose(page, AMBIGUOUS_CSV);
    await page.getByText('whether the day or the month comes first').scrollIntoViewIfNeeded();
  });
  await take(base, 'phone', 'posts', shown, { viewport: PHONE });
  await take(base, 'dark', 'posts/1/history', shown, { colorScheme: 'dark' });
}

/** @param {import('playwright-core').Page} page @param {string} csv */
async function choose(page, csv) {
  const buffer = Buffer.from(csv);
  await page.locator('input[type=file]').setInputFiles({ name: 'harbour.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('table').waitFor();
}

/** @param {import('playwright-core').Page} page */
async function shown(page) {
  await page.getByRole('table').first().waitFor();
}

/**
 * @param {string} base
 * @param {string} name of the screenshot
 * @param {string} path of the page
 * @param {(page: import('playwright-core').Page) => Promise<void>} prepare brings the page into the state to capture
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
async function take(base, name, path, prepare, options = {}) {
  const page = await openPage(options);
  const session = JSON.stringify(await logIn(base, 'admin'));
  await page.addInitScript(`sessionStorage.setItem('posts-admin.session', ${JSON.stringify(session)})`);
  await page.goto(`${base}/admin/${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await prepare(page);
  await page.waitForFunction(`document.querySelector('.MuiSkeleton-root') === null`);
  await capture(page, `admin-${name}`);
}

/** @param {import('playwright-core').BrowserContextOptions} options */
async function openPage(options) {
  const context = await browser.newContext({
    viewport: WIDE,
    timezoneId: 'Europe/Vienna',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  return context.newPage();
}

/** @param {import('playwright-core').Page} page @param {string} name */
async function capture(page, name) {
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `docs/images/${name}.png`, animations: 'disabled', caret: 'hide' });
  await page.context().close();
}
