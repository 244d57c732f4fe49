// Takes the screenshots for the documentation, of the administration site (docs/images/admin-*.png) and of the form of
// the API (form-*.png): all, or those that the arguments name. Needs `npm run build` and Chromium (set CHROMIUM if it is
// not at Debian's path).
import { CREDENTIALS, startBrowsedService } from './browsed-service.js';

const PORT = '3999';
const BASE = `http://127.0.0.1:${PORT}`;
const WIDE = { width: 1120, height: 760 };
const PHONE = { width: 390, height: 760 };
const wanted = process.argv.slice(2);
const CSV = `title,pub_date,body
The new jetty,2026-11-02,It is forty metres long.
,2026-11-03,A line whose title was forgotten.
Sunset at five,2026-02-30,The shortest day is near.
`;

const { browser, stop } = await startBrowsedService(PORT, '60');

try {
  const { token } = await send('POST', '/admin/api/sessions/', CREDENTIALS);
  await change(token);
  await takeForm(token);
  await takeSite(token);
} finally {
  await stop();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [json]
 * @param {string} [token]
 * @returns {Promise<any>} the JSON of the response
 */
async function send(method, path, json, token) {
  const response = await fetch(BASE + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(json && { body: JSON.stringify(json) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? {} : await response.json();
}

/** Changes and deletes some of the posts. @param {string} token */
async function change(token) {
  const body = 'We met at the bridge at seven.\n\nThe river was high after the rain.\n';
  await send('PUT', '/posts/1/', { title: 'A walk along the river', body }, token);
  await send('PUT', '/posts/1/', { title: 'A long walk', body: body.replace('seven', 'six') }, token);
  const ferry = { title: 'The old ferry', body: 'For ninety years it has crossed the harbour.' };
  await send('PUT', '/posts/2/', ferry, token);
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

/** The excerpts come after the rows. @param {import('playwright-core').Page} page */
async function withExcerpts(page) {
  await page.locator('tbody td > [dir=auto] > *').first().waitFor();
}

/** @param {string} token */
async function takeForm(token) {
  await take('form-post', `${BASE}/posts/7/`, {}, responded);
  await take('form-phone', `${BASE}/posts/7/`, { viewport: PHONE }, responded);
  await take('form-fault', `${BASE}/posts/?limit=2&colour=red`, { colorScheme: 'dark' }, async (page) => {
    await responded(page);
    await page.locator('.btn-group').evaluate((element) => element.scrollIntoView());
  });
  await take('form-edit', `${BASE}/docs/?id=2#/posts/replacePost`, {}, async (page) => {
    await page.getByText('Loaded.').waitFor();
    await page.locator('#operations-posts-replacePost').evaluate((element) => element.scrollIntoView());
  });
  await take('form-live', `${BASE}/docs/#/posts/listPosts`, {}, async (page) => {
    await page.getByRole('button', { name: 'Listen to changes' }).click();
    await page.getByText('Listening to all posts.').waitFor();
    const jetty = { title: 'The new jetty', body: 'It is forty metres long.' };
    const log = page.getByRole('log');
    // The stream tells the state of a post: changes at the same moment are one event.
    const { id } = await send('POST', '/posts/', jetty, token);
    await log.getByText('"The new jetty"').waitFor();
    await send('PUT', `/posts/${id}/`, { ...jetty, title: 'The new jetty opens' }, token);
    await log.getByText('"The new jetty opens"').waitFor();
    await send('DELETE', `/posts/${id}/`, undefined, token);
    await log.getByText('deleted', { exact: true }).waitFor();
    await page.locator('.live-changes').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  });
}

/** @param {string} token */
async function takeSite(token) {
  const site = `${BASE}/admin/`;
  await take('admin-dashboard', site, {}, (page) => page.getByText('Recent changes').first().waitFor());
  await take('admin-list', `${site}posts?ordering=title`, {}, withExcerpts);
  await take('admin-phone', `${site}posts?ordering=title`, { viewport: PHONE }, withExcerpts);
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
  if (wanted.length > 0 && !wanted.includes(name)) return;
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
    await page.getByLabel(/^Password/).fill(CREDENTIALS.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('navigation').first().waitFor();
  }
  await prepare(page);
  // No row looks as if it were pointed at.
  await page.mouse.move(0, 0);
  await page.waitForFunction(`document.querySelector('.MuiSkeleton-root') === null`);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `docs/images/${name}.png`, animations: 'disabled', caret: 'hide' });
  await context.close();
}
