import type { Browser, Locator, Page } from 'playwright-core';
import { Complaints, describeInBrowser, launchBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { poll } from '../support/until.js';

describeInBrowser.each([
  ['at the root', ''],
  ['under a BASE_PATH', '/blog'],
])('Swagger UI in a browser, %s', (_, basePath) => {
  let browser: Browser;
  let service: Service;
  let page: Page;
  let complaints: Complaints;

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService({ BASE_PATH: basePath });
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  beforeEach(async () => {
    // Uncompressed; see docs.http.e2e.ts.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
    });
    page = await context.newPage();
    complaints = new Complaints(page, service.baseUrl);
  });

  afterEach(async () => {
    expect(complaints.all).toEqual([]);
    await page.context().close();
  });

  async function open(path: string): Promise<void> {
    await page.goto(service.baseUrl + path);
    await page.locator('.opblock-tag').first().waitFor();
  }

  const operation = (id: string): Locator => page.locator(`#operations-posts-${id}`);

  /** Clicks Execute and returns the response that Swagger UI shows. */
  async function execute(id: string): Promise<{ status: string; body: string; url: string }> {
    await operation(id).getByRole('button', { name: 'Execute' }).click();
    const shown = operation(id).locator('.live-responses-table .response');
    return {
      status: await shown.locator('.response-col_status').first().innerText(),
      body: await shown.locator('.highlight-code pre').first().innerText(),
      url: await operation(id).locator('.request-url pre').innerText(),
    };
  }

  it('lists the operations on posts first, all collapsed', async () => {
    await open('/docs/');
    await poll(() => page.title()).toBe('Posts Service: the API and its forms');
    expect(await page.locator('.info h1').innerText()).toMatch(/^Posts Service/);
    await poll(() => page.locator('.opblock-summary-path').allInnerTexts()).toHaveLength(8);
    expect(await page.locator('.opblock.is-open').count()).toBe(0);
    await poll(() => page.locator('.opblock-tag').allInnerTexts()).toEqual([
      expect.stringMatching(/^posts\b/),
      expect.stringMatching(/^problems\b/),
      expect.stringMatching(/^discovery\b/),
      expect.stringMatching(/^operations\b/),
      expect.stringMatching(/^head-and-options\b/),
    ]);
  });

  it('opens at the matching operation when a browser requests the list or a post', async () => {
    await open('/posts/');
    // The posts are shown, without another click.
    await operation('listPosts')
      .locator('.live-responses-table .response')
      .getByText('200')
      .first()
      .waitFor();
    // No defaults are added to the address.
    await poll(() => page.url()).toBe(`${service.baseUrl}/docs/#/posts/listPosts`);
    complaints.allowRefusals(404);
    await open('/posts/1/');
    await poll(() => page.url()).toBe(`${service.baseUrl}/docs/?id=1#/posts/getPost`);
    await operation('getPost').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
  });

  it('has one input for each form field, and stores the values', async () => {
    await open('/posts/');
    await operation('createPost').locator('.opblock-summary-control').click();
    await operation('createPost')
      .locator('.opblock-section-request-body .content-type')
      .selectOption('application/x-www-form-urlencoded');
    const fields = operation('createPost').locator('[data-property-name]');
    expect(
      await fields.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-property-name'))),
    ).toEqual(['title', 'pub_date', 'body']);
    for (const [name, value] of Object.entries({
      title: 'Grüße & "quotes" + 😀',
      pub_date: '2026-11-20T15:40:00+01:00',
      body: 'a=b&c=d',
    })) {
      await fields
        .and(page.locator(`[data-property-name="${name}"]`))
        .getByRole('textbox', { name, exact: true })
        .fill(value);
    }
    const { status, body } = await execute('createPost');
    expect(status).toBe('201');
    const stored = JSON.parse(body) as PostJson;
    expect(stored).toEqual({
      id: expect.any(Number),
      title: 'Grüße & "quotes" + 😀',
      pub_date: '2026-11-20T14:40:00.000Z',
      body: 'a=b&c=d',
    });

    await operation('getPost').locator('.opblock-summary-control').click();
    await operation('getPost').locator('[data-param-name=id] input').fill(String(stored.id));
    const found = await execute('getPost');
    expect(found).toMatchObject({ status: '200', url: `${service.baseUrl}/posts/${stored.id}/` });
    expect(JSON.parse(found.body)).toEqual(stored);
  });

  it('sends a list as one parameter', async () => {
    await open('/docs/#/posts/listPosts');
    await operation('listPosts').getByRole('button', { name: 'Add integer item' }).click();
    await operation('listPosts').locator('[data-param-name=id] input').fill('1');
    await operation('listPosts').locator('[data-param-name=fields] select').selectOption(['id', 'title']);
    const { status, url } = await execute('listPosts');
    expect(status).toBe('200');
    expect(new URL(url).searchParams.get('fields')).toBe('id,title');
  });
});
