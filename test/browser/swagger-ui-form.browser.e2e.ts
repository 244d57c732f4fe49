import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { barriersOf } from '../support/axe.js';
import { Complaints, describeInBrowser, launchBrowser } from '../support/browser.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { poll, until } from '../support/until.js';

/** Swagger UI's own markup has less severe violations. */
const SERIOUS = ['serious', 'critical'];

describeInBrowser('the form of Swagger UI', () => {
  let browser: Browser;
  let service: Service;
  let page: Page;
  let complaints: Complaints;
  /** The method and target of the page's requests to the API. */
  let sent: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
    service = await startService();
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  beforeEach(() => openPage());

  afterEach(async () => {
    expect(complaints.all).toEqual([]);
    await page.context().close();
  });

  async function openPage(options: BrowserContextOptions = {}, of: Service = service): Promise<void> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: 'Europe/Vienna',
      // Uncompressed; see docs.http.e2e.ts.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
      ...options,
    });
    page = await context.newPage();
    complaints = new Complaints(page, of.baseUrl);
    sent = [];
    page.on('request', (request) => {
      const [, target] = request.url().split(of.baseUrl);
      if (target?.startsWith('/posts/') && !request.isNavigationRequest())
        sent.push(`${request.method()} ${target}`);
    });
  }

  async function open(path: string, of: Service = service): Promise<void> {
    // Leave the page first: a change of only the fragment does not load it again.
    await page.goto('about:blank');
    await page.goto(of.baseUrl + path);
    await page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).waitFor();
  }

  const operation = (id: string): Locator => page.locator(`#operations-posts-${id}`);
  const field = (id: string, name: string): Locator =>
    operation(id).getByRole('textbox', { name, exact: true });

  /** Waits for a response and returns its text on the page. */
  async function shown(id: string): Promise<{ status: string; body: string }> {
    const response = operation(id).locator('.live-responses-table tbody .response');
    return {
      status: await response.locator('.response-col_status').first().innerText(),
      body: await response.locator('.highlight-code pre').first().innerText(),
    };
  }

  async function execute(id: string): Promise<{ status: string; body: string }> {
    const clear = operation(id).getByRole('button', { name: 'Clear' });
    if (await clear.isVisible()) await clear.click();
    await operation(id).getByRole('button', { name: 'Execute' }).click();
    return shown(id);
  }

  it('requests the post in the address, and shows it or its 404', async () => {
    const post = await service.create(aPost({ body: 'one\ntwo' }));
    await open(post.path);
    await poll(() => field('getPost', 'id').inputValue()).toBe(String(post.id));
    expect(JSON.parse((await shown('getPost')).body)).toEqual(
      (await service.get(post.path)).json<PostJson>(),
    );
    complaints.allowRefusals(404);
    await open('/posts/4711/');
    expect((await shown('getPost')).status).toBe('404');
    expect(sent).toEqual([`GET ${post.path}`, 'GET /posts/4711/']);
  });

  it('sends the query of the address, and shows its faults', async () => {
    const { id } = await service.create(aPost({ title: 'A heron & a ferry' }));
    await open('/posts/?search=heron+%26&fields=id,title&ordering=-id');
    await poll(() => field('listPosts', 'search').inputValue()).toBe('heron &');
    await poll(() => operation('listPosts').getByLabel('ordering').inputValue()).toBe('-id');
    expect(JSON.parse((await shown('listPosts')).body)).toEqual([{ id, title: 'A heron & a ferry' }]);
    complaints.allowRefusals(400);
    await open('/posts/?limit=2&colour=red');
    const { status, body } = await shown('listPosts');
    expect([status, body]).toEqual(['400', expect.stringContaining('"parameter": "colour"')]);
    expect(sent).toEqual([
      'GET /posts/?search=heron+%26&fields=id%2Ctitle&ordering=-id',
      'GET /posts/?limit=2&colour=red',
    ]);
  });

  it.each(['deletePost', 'replacePost', 'deletePostByQuery', 'createPost'])(
    'never sends %s by itself, and does not run markup in values',
    async (id) => {
      const post = await service.create();
      await open(`/docs/?id=${post.id}&title=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E#/posts/${id}`);
      if (id !== 'createPost') expect(await field(id, 'id').first().inputValue()).toBe(String(post.id));
      await page.waitForTimeout(500);
      await poll(() => sent).toEqual(id === 'replacePost' ? [`GET ${post.path}`] : []);
      expect((await service.get(post.path)).status).toBe(200);
    },
  );

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'stores line breaks and an empty body unchanged, as %s',
    async (mediaType) => {
      await open('/docs/#/posts/createPost');
      for (const type of ['multipart/form-data', 'application/json', mediaType])
        await operation('createPost').getByLabel('Request content type').selectOption(type);
      for (const body of ['one\n\n  two\n', '']) {
        await field('createPost', 'body').fill(body);
        const response = await execute('createPost');
        expect(response.status).toBe('201');
        const { id } = JSON.parse(response.body) as PostJson;
        expect((await service.get(`/posts/${id}/`)).json<PostJson>().body).toBe(body);
      }
    },
  );

  it('counts the title in code points, shows limits, and picks dates', async () => {
    await open('/docs/#/posts/createPost');
    const title = operation('createPost').locator('[data-property-name=title]');
    await field('createPost', 'title').fill('🦊'.repeat(200));
    await poll(() => title.locator('.limit').innerText()).toBe('200 of 200 characters');
    expect(await title.locator('.exceeded').count()).toBe(0);
    await field('createPost', 'title').fill('🦊'.repeat(201));
    await poll(() => title.locator('.limit.exceeded').innerText()).toBe('201 of 200 characters');
    const picker = operation('createPost').getByLabel('pub_date, picked in Europe/Vienna');
    await picker.fill('2026-11-20T15:40:00');
    await poll(() => field('createPost', 'pub_date').inputValue()).toBe('2026-11-20T14:40:00.000Z');
    await field('createPost', 'pub_date').fill('2026-11-20');
    await poll(() => picker.inputValue()).toMatch(/^2026-11-20T01:00/);

    await open('/docs/#/posts/listPosts');
    const limit = operation('listPosts').locator('[data-param-name=limit]');
    await poll(() => limit.locator('.limit').innerText()).toBe('1 to 1000');
    await field('listPosts', 'limit').fill('1001');
    await limit.locator('.exceeded').waitFor();
  });

  it('loads a post to edit, with its ETag', async () => {
    const post = await service.create(aPost({ title: 'Before', body: 'one\r\ntwo' }));
    await open(`/docs/?id=${post.id}#/posts/replacePost`);
    const load = operation('replacePost').getByRole('button', { name: 'Load the post' });
    await operation('replacePost').getByText('Loaded.').waitFor();
    await poll(() => field('replacePost', 'title').inputValue()).toBe('Before');
    await field('replacePost', 'body').fill('one\ntwo\nthree');
    expect((await execute('replacePost')).status).toBe('200');
    const stored = (await service.get(post.path)).json<PostJson>();
    expect(stored).toEqual({ ...stored, title: 'Before', body: 'one\r\ntwo\r\nthree' });

    complaints.allowRefusals(404, 412);
    expect((await execute('replacePost')).status).toBe('412');
    await load.click();
    await operation('replacePost').getByLabel('Request content type').selectOption('application/json');
    await poll(async () =>
      JSON.parse(await operation('replacePost').locator('.body-param textarea').inputValue()),
    ).toEqual({
      title: stored.title,
      pub_date: stored.pub_date,
      body: stored.body,
    });
    expect((await execute('replacePost')).status).toBe('200');
    await field('replacePost', 'id').fill('4711');
    await load.click();
    await operation('replacePost')
      .getByText(/^404: /)
      .waitFor();
  });

  it('has no example values in a PUT, loads the post of the id, and keeps typed input', async () => {
    const [one, other] = [await service.create({ title: 'One' }), await service.create({ title: 'Other' })];
    const [id, title] = [field('replacePost', 'id').first(), field('replacePost', 'title')];
    const ifMatch = (): Promise<string> => field('replacePost', 'If-Match').inputValue();
    await open('/docs/#/posts/replacePost');
    await poll(() => title.inputValue()).toBe('');
    await poll(() => field('replacePost', 'body').inputValue()).toBe('');
    for (const post of [one, other]) {
      await id.fill(String(post.id));
      await until(async () => (await title.inputValue()) === post.title);
      await until(async () => (await ifMatch()) === post.etag);
    }
    await title.fill('Typed');
    await id.fill(String(one.id));
    await page.waitForTimeout(600);
    expect([await title.inputValue(), await ifMatch()]).toEqual(['Typed', other.etag]);
    complaints.allowRefusals(412);
    expect((await execute('replacePost')).status).toBe('412');

    await operation('replacePost').getByLabel('Request content type').selectOption('application/json');
    await page.reload();
    await operation('replacePost').getByLabel('Request content type').selectOption('application/json');
    const json = operation('replacePost').locator('.body-param textarea');
    await poll(async () => JSON.parse(await json.inputValue())).toEqual({ title: '', body: '' });

    // From the page of a post, the PUT form loads that post, too.
    await open(one.path);
    await operation('replacePost').locator('.opblock-summary-control').click();
    await until(async () => (await title.inputValue()) === one.title);
  });

  it('filters by a title of 200 code points, and shows header fields unchanged', async () => {
    const title = '🦊'.repeat(200);
    await service.create(aPost({ title }));
    await open('/docs/#/posts/listPosts');
    await field('listPosts', 'title').fill(title);
    await poll(() => operation('listPosts').locator('[data-param-name=title] .limit').innerText()).toBe(
      '200 of 200 characters',
    );
    const { status, body } = await execute('listPosts');
    expect([status, JSON.parse(body)]).toMatchObject(['200', [{ title }]]);
    const headers = await operation('listPosts').locator('.live-responses-table').innerText();
    expect(headers).toMatch(/last-modified: \w{3}, \d\d \w{3} \d{4} /);
  });

  it.each([
    ['curl', 'bash', '-c'],
    ['fetch', process.execPath, '--eval'],
    ['Python', 'python3', '-c'],
  ])('shows a request as %s code that sends the same request', async (language, command, option) => {
    await open('/docs/#/posts/createPost');
    await field('createPost', 'title').fill(`It’s "${language}", 'quoted' \\ $(id) 🦊`);
    await execute('createPost');
    await operation('createPost').getByRole('button', { name: language, exact: true }).click();
    const program = await operation('createPost').locator('.code-samples pre').innerText();
    const body = language === 'fetch' ? `(async () => { ${program} })()` : program;
    // Asynchronous, because the service runs in this process and must be able to respond.
    const { stdout } = await promisify(execFile)(command, [option, body]);
    expect(stdout).toContain(JSON.stringify(`It’s "${language}", 'quoted' \\ $(id) 🦊`));
  });

  it('keeps the token for the tab', async () => {
    const guarded = await startService({ API_TOKENS: 'a-token-of-some-length' });
    await page.context().close();
    await openPage({}, guarded);
    complaints.allowRefusals(401);
    await open('/docs/#/posts/createPost', guarded);
    expect((await execute('createPost')).status).toBe('401');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.locator('.auth-container input').fill('a-token-of-some-length');
    await page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
    await page.reload();
    expect((await execute('createPost')).status).toBe('201');
    await guarded.stop();
  });

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility violation in %s colours, and fits a phone',
    async (colorScheme) => {
      const post = await service.create();
      await page.context().close();
      await openPage({ colorScheme, viewport: { width: 390, height: 800 } });
      for (const path of [post.path, '/posts/?limit=3', '/docs/#/posts/createPost']) {
        await open(path);
        if (path !== '/docs/#/posts/createPost')
          await page.locator('.live-responses-table').first().waitFor();
        expect(await barriersOf(page, SERIOUS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      }
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(colorScheme === 'dark' ? 'rgb(20, 21, 26)' : 'rgb(246, 246, 248)');
    },
  );
});
