// Takes the screenshots for the documentation, of the administration site (docs/images/admin-*.png) and of the form of
// the API (form-*.png). Needs `npm run build` and Chromium (set CHROMIUM if it is not at Debian's path).
import { chromium } from 'playwright-core';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BASE = 'http://127.0.0.1:3999';
const PASSWORD = 'correct horse battery';
const WIDE = { width: 1120, height: 760 };
const PHONE = { width: 390, height: 760 };
const TITLES = 'The old ferry|Spring tide|Grüße aus Ödenburg|Seven knots|海の日|The long bench|Rain'.split(
  '|',
);
const CSV = `title,pub_date,body
The new jetty,2026-11-02,It is forty metres long.
,2026-11-03,A line whose title was forgotten.
Sunset at five,2026-02-30,The shortest day is near.
`;

const folder = await mkdtemp(join(tmpdir(), 'posts-screenshots-'));
const service = spawn(process.execPath, ['bin/posts-service.cjs'], {
  env: {
    ...process.env,
    PORT: new URL(BASE).port,
    DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`,
    ADMIN_PASSWORD: PASSWORD,
  },
  stdio: 'ignore',
});
const stopped = once(service, 'exit');
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

try {
  await started();
  const { token } = await send('POST', '/admin/api/sessions/', { username: 'admin', password: PASSWORD });
  await seed(token);
  await takeForm();
  await takeSite(token);
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await stopped;
  await rm(folder, { recursive: true });
}

/** Waits until the service responds. */
async function started() {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(`${BASE}/health/ready`).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The service did not start: run `npm run build`.');
}

/** @param {string} method @param {string} path @param {object} [json] @param {string} [token] */
async function send(method, path, json, token) {
  const response = await fetch(BASE + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? {} : await response.json();
}

/** Creates posts, some of them changed and deleted. @param {string} token */
async function seed(token) {
  for (let index = 0; index < 60; index++) {
    const pub_date = new Date(Date.UTC(2026, 10 - ((index * index) % 14), 1 + (index % 19), index % 24));
    const title = `${TITLES[index % TITLES.length]} (${index + 1})`;
    const body = `For ninety years it has crossed the harbour, every ${index + 1} minutes.`;
    await send('POST', '/posts/', { title, body, pub_date: pub_date.toISOString() }, token);
  }
  const body = 'We met at the bridge at seven.\n\nThe river was high after the rain.\n';
  await send('PUT', '/posts/1/', { title: 'A walk along the river', body }, token);
  await send('PUT', '/posts/1/', { title: 'A long walk', body: body.replace('seven', 'six') }, token);
  await send('DELETE', '/posts/5/', undefined, token);
}

/** @param {import('playwright-core').Page} page */
async function responded(page) {
  await page.locator('.live-responses-table').waitFor();
}

/** @param {import('playwright-core').Page} page */
async function shown(page) {
  await page.getByRole('table').first().waitFor();
}

async function takeForm() {
  await take('form-post', `${BASE}/posts/7/`, {}, responded);
  await take('form-phone', `${BASE}/posts/7/`, { viewport: PHONE }, responded);
  await take('form-fault', `${BASE}/posts/?limit=2&colour=red`, { colorScheme: 'dark' }, responded);
  await take('form-edit', `${BASE}/docs/?id=2#/posts/replacePost`, {}, async (page) => {
    await page.getByText('Loaded.').waitFor();
    await page.locator('[data-property-name=title]').evaluate((element) => element.scrollIntoView());
  });
}

/** @param {string} token */
async function takeSite(token) {
  const site = `${BASE}/admin/`;
  await take('admin-dashboard', site, {}, (page) => page.getByText('Recent changes').first().waitFor());
  await take('admin-phone', `${site}posts`, { viewport: PHONE }, shown);
  await take('admin-history', `${site}posts/1/history`, { colorScheme: 'dark' }, shown);
  await take('admin-conflict', `${site}posts/2`, {}, async (page) => {
    await page.getByLabel(/^Title/).fill('The old ferry, and its last captain');
    const others = { title: 'The old ferry sails again', body: 'Every thirty minutes.' };
    await send('PUT', '/posts/2/', others, token);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  });
  await take('admin-import', `${site}import`, {}, async (page) => {
    const file = { name: 'harbour.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
    await page.locator('input[type=file]').setInputFiles(file);
    await shown(page);
  });
}

/**
 * @param {string} name of the screenshot
 * @param {string} address of the page
 * @param {import('playwright-core').BrowserContextOptions} options
 * @param {(page: import('playwright-core').Page) => Promise<unknown>} prepare brings the page into the state to capture
 */
async function take(name, address, options, prepare) {
  const context = await browser.newContext({
    viewport: WIDE,
    timezoneId: 'Europe/Vienna',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(address);
  if (name.startsWith('admin')) {
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel(/^Password/).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation').first().waitFor();
  }
  await prepare(page);
  await page.waitForFunction(`document.querySelector('.MuiSkeleton-root') === null`);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `docs/images/${name}.png`, animations: 'disabled', caret: 'hide' });
  await context.close();
}
