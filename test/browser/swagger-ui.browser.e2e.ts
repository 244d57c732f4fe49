import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { barriersInAllColours, barriersOf } from '../support/axe.js';
import { type Complaints, describeInBrowser, TestBrowser } from '../support/browser.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { historyLeftClosed } from '../support/site-locators.js';
import { poll } from '../support/until.js';

const POST_OPERATIONS = [
  'listPosts',
  'createPost',
  'replacePostByQuery',
  'deletePostByQuery',
  'getPost',
  'replacePost',
  'deletePost',
  'listDeletedPosts',
];

describeInBrowser('the form of Swagger UI', () => {
  // Compressing Swagger UI's files takes longer than most of the tests.
  const browser = new TestBrowser({ extraHTTPHeaders: { 'Accept-Encoding': 'identity' } });
  let service: Service;
  let page: Page;
  let complaints: Complaints;
  /** The method and target of the page's requests to the API. */
  let sent: string[];

  beforeAll(async () => {
    [service] = await Promise.all([startService(), browser.start()]);
  });
  afterAll(() => browser.stop());
  beforeEach(() => newPage());
  afterEach(() => browser.closePages());

  /** Opens a page, which replaces the current one. */
  async function newPage(
    options?: BrowserContextOptions,
    { baseUrl }: Pick<Service, 'baseUrl'> = service,
  ): Promise<void> {
    ({ page, complaints } = await browser.newPage(baseUrl, options));
    sent = [];
    page.on('request', (request) => {
      const [, target] = request.url().split(baseUrl);
      if (target?.startsWith('/posts/') && !request.isNavigationRequest())
        sent.push(`${request.method()} ${target}`);
    });
  }

  /** Opens an operation by its address, and waits until it can be executed. */
  async function open(path: string, { baseUrl }: Pick<Service, 'baseUrl'> = service): Promise<void> {
    // Leave the page first: a change of only the fragment does not load it again.
    await page.goto('about:blank');
    await page.goto(baseUrl + path);
    await page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).waitFor();
  }

  const operation = (id: string): Locator => page.locator(`#operations-posts-${id}`);
  const link = (id: string, name: string): Locator => operation(id).getByRole('link', { name, exact: true });
  const field = (id: string, name: string): Locator =>
    operation(id).getByRole('textbox', { name, exact: true });

  /** Waits for a response, as Swagger UI shows it. */
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

  it('requests the post in the address, leads to its edit and its deletion, and shows its 404', async () => {
    const post = await service.create(aPost({ title: 'To be changed', body: 'one\ntwo' }));
    await open(post.path);
    await poll(() => field('getPost', 'id').inputValue()).toBe(String(post.id));
    expect(JSON.parse((await shown('getPost')).body)).toEqual(post);
    expect(sent).toEqual([`GET ${post.path}`]);
    await link('getPost', 'Edit').click();
    await poll(() => field('replacePost', 'title').inputValue()).toBe('To be changed');
    await open(post.path);
    await link('getPost', 'Delete').click();
    await poll(() => field('deletePost', 'id').inputValue()).toBe(String(post.id));
    expect((await service.get(post.path)).status).toBe(200);
    await operation('deletePost').getByRole('button', { name: 'Execute' }).click();
    await operation('deletePost').getByText('204 No Content').waitFor();
    complaints.allowRefusals(404);
    await open(post.path);
    expect((await shown('getPost')).status).toBe('404');
  });

  it('sends the query of the address, and shows its outcome on the screen and its faults', async () => {
    const { id } = await service.create(aPost({ title: 'A heron & a ferry' }));
    await open('/posts/?search=heron+%26&fields=id,title&ordering=-id');
    await poll(() => field('listPosts', 'search').inputValue()).toBe('heron &');
    await poll(() => operation('listPosts').getByLabel('ordering').inputValue()).toBe('-id');
    expect(JSON.parse((await shown('listPosts')).body)).toEqual([{ id, title: 'A heron & a ferry' }]);
    await operation('listPosts').locator('.execute-wrapper, .btn-group').getByText('200 OK').waitFor();
    const isInView = async (): Promise<boolean> => {
      const { y } = (await operation('listPosts').locator('.live-responses-table').boundingBox())!;
      return y >= 0 && y < 900;
    };
    await poll(isInView).toBe(true);
    await page.evaluate('window.scrollTo(0, 0)');
    await operation('listPosts').getByRole('button', { name: 'Execute' }).click();
    await poll(() => sent.length).toBe(2);
    await poll(isInView).toBe(true);

    complaints.allowRefusals(400);
    await open('/posts/?limit=1001&colour=red');
    const { status, body } = await shown('listPosts');
    expect([status, body]).toEqual(['400', expect.stringContaining('"parameter": "colour"')]);
    const limit = operation('listPosts').locator('[data-param-name=limit]');
    await limit.getByRole('alert').getByText('1 to 1000').waitFor();
    expect(sent).toEqual([
      'GET /posts/?search=heron+%26&fields=id%2Ctitle&ordering=-id',
      expect.stringContaining('GET /posts/?limit=100&'),
      'GET /posts/?limit=1001&colour=red',
    ]);
  });

  it.each(['deletePost', 'replacePost', 'createPost'])(
    'never sends %s by itself, and does not run markup in values',
    async (id) => {
      const post = await service.create();
      await open(`/docs/?id=${post.id}&title=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E#/posts/${id}`);
      if (id !== 'createPost') await poll(() => field(id, 'id').first().inputValue()).toBe(String(post.id));
      await page.waitForTimeout(500);
      await poll(() => sent).toEqual(id === 'replacePost' ? [`GET ${post.path}`] : []);
      expect((await service.get(post.path)).status).toBe(200);
    },
  );

  it('stores line breaks and an empty body unchanged, and shows a curl command that does the same', async () => {
    await open('/docs/#/posts/createPost');
    const types = ['multipart/form-data', 'application/json', 'application/x-www-form-urlencoded'];
    const title = `It’s "curl", 'quoted' \\ $(id) 🦊`;
    for (const type of [...types, 'multipart/form-data']) {
      await operation('createPost').getByLabel('Request content type').selectOption(type);
      if (type === 'application/json') continue;
      await field('createPost', 'title').fill(title);
      for (const body of ['one\n\n  two\n', '']) {
        await field('createPost', 'body').fill(body);
        const response = await execute('createPost');
        expect(response.status).toBe('201');
        const { id } = JSON.parse(response.body) as PostJson;
        expect((await service.get(`/posts/${id}/`)).json<PostJson>()).toMatchObject({ title, body });
      }
    }
    const command = await operation('createPost').locator('.request-snippets pre').innerText();
    // Asynchronous, because the service runs in this process and must be able to respond.
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout).toContain(JSON.stringify(title));
  });

  it('starts empty, with examples as placeholders and a calendar in the zone of the browser, and shows the faults of the service at their fields', async () => {
    complaints.allowRefusals(400);
    await open('/docs/#/posts/createPost');
    const title = field('createPost', 'title');
    expect(await title.getAttribute('placeholder')).toBe('Hello, world');
    expect(
      await Promise.all(['title', 'body'].map((name) => field('createPost', name).inputValue())),
    ).toEqual(['', '']);

    const date = field('createPost', 'pub_date');
    const calendar = operation('createPost').getByLabel('Calendar for pub date, Europe/Vienna');
    await calendar.fill('2026-07-20T15:40');
    await poll(() => date.inputValue()).toBe('2026-07-20T13:40:00.000Z');
    // Without an offset, the service reads UTC.
    await date.fill('2026-11-20 14:40');
    await poll(() => calendar.inputValue()).toBe('2026-11-20T15:40');
    await date.fill('2026-11-20T14:40:00.123456Z');
    await title.fill('Dated');
    expect(JSON.parse((await execute('createPost')).body)).toMatchObject({
      pub_date: '2026-11-20T14:40:00.123456Z',
    });

    await title.fill('');
    await date.fill('yesterday');
    expect((await execute('createPost')).status).toBe('400');
    const faultOf = (name: string): Promise<string> =>
      operation('createPost').locator(`[data-property-name=${name}] [role=alert]`).innerText();
    await poll(() => faultOf('title')).toMatch(/must not be empty/);
    await poll(() => faultOf('pub_date')).toMatch(/date and time of ISO 8601/);
    await poll(() => faultOf('body')).toBe('');
    await poll(() => title.getAttribute('aria-invalid')).toBe('true');

    await operation('createPost').getByLabel('Request content type').selectOption('application/json');
    expect((await execute('createPost')).status).toBe('400');
    await operation('createPost').getByRole('alert').getByText('must not be empty').waitFor();
  });

  it('shows the posts of a list and its pages as links', async () => {
    const older = await service.create({ title: 'Older' });
    const newer = await service.create({ title: 'Newer' });
    await open(`/posts/?id=${older.id},${newer.id}&limit=1&ordering=-id`);
    await operation('listPosts').getByRole('listitem').filter({ hasText: 'Newer' }).waitFor();
    await link('listPosts', 'Next page').click();
    await operation('listPosts').getByRole('listitem').filter({ hasText: 'Older' }).waitFor();
    await link('listPosts', 'Previous page').click();
    await link('listPosts', String(newer.id)).click();
    await poll(() => page.url()).toBe(`${service.baseUrl}/docs/?id=${newer.id}#/posts/getPost`);
  });

  it('opens at the list of its address, keeps the request there, a list as one parameter, and has the fields of a post', async () => {
    const { title } = await service.create({ title: '🦊 kept', body: 'A kept address' });
    await open('/posts/');
    // The posts are shown, without another click, and no defaults are added to the address.
    expect((await shown('listPosts')).status).toBe('200');
    await poll(() => page.url()).toBe(`${service.baseUrl}/docs/#/posts/listPosts`);
    await field('listPosts', 'search').fill('kept address');
    const { status, body } = await execute('listPosts');
    expect([status, JSON.parse(body)]).toMatchObject(['200', [{ title }]]);
    const headers = await operation('listPosts').locator('.live-responses-table').innerText();
    expect(headers).toMatch(/last-modified: \w{3}, \d\d \w{3} \d{4} /);
    await poll(() => page.url()).toMatch(/\/docs\/\?.*search=kept\+address.*#\/posts\/listPosts$/);
    await page.reload();
    await poll(() => field('listPosts', 'search').inputValue()).toBe('kept address');
    await operation('listPosts').getByRole('listitem').filter({ hasText: title }).waitFor();

    await operation('listPosts').getByRole('button', { name: 'Add integer item' }).click();
    await operation('listPosts').locator('[data-param-name=id] input').fill('1');
    await operation('listPosts').locator('[data-param-name=fields] select').selectOption(['id', 'title']);
    expect((await execute('listPosts')).status).toBe('200');
    const url = new URL(await operation('listPosts').locator('.request-url pre').innerText());
    expect(url.origin + url.pathname).toBe(`${service.baseUrl}/posts/`);
    expect(url.searchParams.get('fields')).toBe('id,title');

    await operation('createPost').locator('.opblock-summary-control').click();
    const fields = operation('createPost').locator('[data-property-name]');
    await poll(() =>
      fields.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-property-name'))),
    ).toEqual(Object.keys(aPost()));
  });

  it('loads a post to edit, with its ETag, only when it is asked for, and has no example values', async () => {
    const post = await service.create(aPost({ title: 'Before', body: 'one\r\ntwo' }));
    const other = await service.create({ title: 'Other' });
    const replacement = operation('replacePost');
    const id = field('replacePost', 'id').first();
    const [title, body] = [field('replacePost', 'title'), field('replacePost', 'body')];
    const load = replacement.getByRole('button', { name: 'Load the post' });
    const type = replacement.getByLabel('Request content type');
    const json = async (): Promise<unknown> =>
      JSON.parse(await replacement.locator('.body-param textarea').inputValue());
    const ifMatch = (): Promise<string> => field('replacePost', 'If-Match').inputValue();
    await open('/docs/#/posts/replacePost');
    await poll(() => title.inputValue()).toBe('');
    await id.fill(String(other.id));
    await page.waitForTimeout(600);
    await load.click();
    await poll(() => title.inputValue()).toBe('Other');
    await title.fill('Typed');
    await id.fill(String(post.id));
    await page.waitForTimeout(600);
    expect([await title.inputValue(), await ifMatch()]).toEqual(['Typed', other.etag]);
    complaints.allowRefusals(412);
    expect((await execute('replacePost')).status).toBe('412');

    await open(`/docs/?id=${post.id}#/posts/replacePost`);
    await replacement.getByText('Loaded.').waitFor();
    await poll(() => title.inputValue()).toBe('Before');
    await body.fill('one\ntwo\nthree');
    expect((await execute('replacePost')).status).toBe('200');
    const stored = (await service.get(post.path)).json<PostJson>();
    expect(stored).toEqual({ ...post, body: 'one\r\ntwo\r\nthree' });
    // The form has taken over the new ETag; a change by another client is still detected.
    expect((await execute('replacePost')).status).toBe('200');
    await service.put(post.path, { title: 'Before', body: 'changed elsewhere' });
    expect((await execute('replacePost')).status).toBe('412');
    await load.click();
    await poll(() => body.inputValue()).toBe('changed elsewhere');
    await type.selectOption('application/json');
    await load.click();
    const { id: _id, ...content } = stored;
    await poll(json).toEqual({ ...content, body: 'changed elsewhere' });
    expect((await execute('replacePost')).status).toBe('200');
  });

  it('keeps the token for the tab, under a BASE_PATH', async () => {
    const guarded = await startService({ API_TOKENS: 'a-token-of-some-length', BASE_PATH: '/blog' });
    await newPage({}, guarded);
    complaints.allowRefusals(401);
    await open('/docs/#/posts/createPost', guarded);
    expect((await execute('createPost')).status).toBe('401');
    const opener = page.getByRole('button', { name: 'Authorize', exact: true });
    const dialog = page.getByRole('dialog', { name: 'Authorize' });
    await opener.click();
    await dialog.getByLabel('Token').fill('a-token-of-some-length');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Authorize' }).waitFor();
    await historyLeftClosed(page);
    await page.reload();
    await field('createPost', 'title').fill('Written with the token');
    expect((await execute('createPost')).status).toBe('201');
    await link('createPost', 'Open the post').click();
    await operation('getPost').getByText('"Written with the token"').first().waitFor();
    await poll(() => page.url()).toBe(`${guarded.baseUrl}/docs/?id=1#/posts/getPost`);
    await opener.click();
    await dialog.getByRole('button', { name: 'Forget the token' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await execute('createPost')).status).toBe('401');
  });

  it('closes the dialog for a token by Back, Escape and its button, and stays where it was', async () => {
    await page.goto(`${service.baseUrl}/openapi.json`);
    await page.goto(`${service.baseUrl}/docs/#/posts/createPost`);
    const dialog = page.getByRole('dialog', { name: 'Authorize' });
    const address = page.url();
    await field('createPost', 'title').fill('Typed before');
    const closes = [
      () => page.goBack(),
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ];
    for (const close of closes) {
      await page.getByRole('button', { name: 'Authorize', exact: true }).click();
      await dialog.getByLabel('Token').waitFor();
      await close();
      await dialog.waitFor({ state: 'detached' });
      await poll(() => page.evaluate('history.state')).toBe(null);
      await page.locator('button:focus', { hasText: 'Authorize' }).waitFor();
      expect(page.url()).toBe(address);
    }
    await poll(() => field('createPost', 'title').inputValue()).toBe('Typed before');
    await field('createPost', 'title').fill('');
    // Each dialog has taken its entry of the history with it.
    await page.goBack();
    await poll(() => page.url()).toBe(`${service.baseUrl}/openapi.json`);
  });

  it('has no accessibility violation on a phone, in light, dark and forced colours, and fits it', async () => {
    const post = await service.create({ title: 'For a phone' });
    await newPage({ viewport: { width: 390, height: 800 } });
    await open(`/posts/?limit=3&id=${post.id}`);
    await link('listPosts', String(post.id)).click();
    await operation('getPost').getByText('"For a phone"').first().waitFor();
    await operation('createPost').locator('.opblock-summary-control').click();
    await field('createPost', 'title').waitFor();
    // The bars of a PUT would have a colour of their own.
    await operation('replacePost').locator('.opblock-summary-control').click();
    await field('replacePost', 'title').waitFor();
    expect(await barriersInAllColours(page)).toEqual([]);
    await operation('createPost').getByLabel('Request content type').selectOption('text/csv');
    await operation('createPost').getByRole('textbox', { name: 'Request body' }).waitFor();
    await poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('has no accessibility violation on a wide screen, in light, dark and forced colours, with all open, a fault, and the dialog for a token', async () => {
    complaints.allowRefusals(400);
    await open('/docs/#/posts/createPost');
    await operation('createPost').locator('summary', { hasText: 'Header fields' }).click();
    await operation('createPost').locator('summary', { hasText: 'Possible responses' }).click();
    await field('createPost', 'pub_date').fill('no date');
    expect((await execute('createPost')).status).toBe('400');
    await operation('createPost').locator('[aria-invalid=true]').first().waitFor();
    expect(await barriersInAllColours(page)).toEqual([]);
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.getByRole('dialog', { name: 'Authorize' }).waitFor();
    expect(await barriersInAllColours(page)).toEqual([]);
  });

  it('lists the operations on posts first, all collapsed, in the colours of the system, and prints on white', async () => {
    await page.goto(`${service.baseUrl}/docs/`);
    await page.locator('.opblock-tag').first().waitFor();
    await poll(() => page.title()).toBe('Posts Service: the API and its forms');
    expect(await page.locator('.info h1').innerText()).toMatch(/^Posts Service/);
    await poll(() => page.locator('.opblock-summary-path').allInnerTexts()).toHaveLength(8);
    expect(await page.locator('.opblock.is-open').count()).toBe(0);
    await poll(() => page.locator('.opblock-tag').allInnerTexts()).toEqual([
      expect.stringMatching(/^posts\b/),
      expect.stringMatching(/^problems\b/),
      expect.stringMatching(/^discovery\b/),
      expect.stringMatching(/^operations\b/),
    ]);

    const isDark = (): Promise<unknown> =>
      page.evaluate("document.documentElement.classList.contains('dark-mode')");
    for (const colorScheme of ['dark', 'light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await poll(isDark).toBe(colorScheme === 'dark');
    }
    await page.emulateMedia({ media: 'print' });
    await poll(isDark).toBe(false);
    await page.emulateMedia({ media: null, colorScheme: null });
  });

  it('shows the fields first: the button is near, and what is seldom needed is folded', async () => {
    const titles: string[] = [];
    await page.goto(`${service.baseUrl}/docs/`);
    for (const id of POST_OPERATIONS) {
      const form = operation(id);
      await form.locator('.opblock-summary-control').click();
      await form.getByRole('button', { name: 'Execute' }).waitFor();
      const top = (await form.boundingBox())!.y;
      const button = (await form.getByRole('button', { name: 'Execute' }).boundingBox())!;
      expect(button.y + button.height - top).toBeLessThan(1600);
      expect(await form.getByText('X-Request-Id').first().isVisible()).toBe(true);
      expect(await form.locator('.header-fields input').first().isVisible()).toBe(false);
      expect(await form.locator('.documented-responses table').first().isVisible()).toBe(false);
      titles.push(await page.title());
    }
    expect(new Set(titles).size).toBe(POST_OPERATIONS.length);
    expect(titles).toContain('Store a post · Posts Service');

    await operation('listDeletedPosts').getByText('Header fields').click();
    await operation('listDeletedPosts').getByRole('textbox', { name: 'X-Request-Id' }).fill('seen');
    await operation('listDeletedPosts').getByText('Possible responses').click();
    await operation('listDeletedPosts')
      .getByText(/^Deletions expired: /)
      .first()
      .waitFor();
    await execute('listDeletedPosts');
    const headers = await operation('listDeletedPosts').locator('.live-responses-table').innerText();
    expect(headers).toContain('x-request-id: seen');
  });

  it('takes a text in its own direction, and is sent by Enter in a line, which adds no line break, but never deletes by it', async () => {
    const post = await service.create();
    await open('/docs/#/posts/createPost');
    await field('createPost', 'title').fill('שלום');
    const direction = "getComputedStyle(document.querySelector('textarea:focus')).direction";
    expect(await page.evaluate(direction)).toBe('rtl');
    await field('createPost', 'title').fill('Sent by Enter');
    expect(await page.evaluate(direction)).toBe('ltr');
    await field('createPost', 'body').fill('one');
    await field('createPost', 'body').press('End');
    await field('createPost', 'body').press('Enter');
    await field('createPost', 'title').press('Enter');
    expect(JSON.parse((await shown('createPost')).body)).toMatchObject({
      title: 'Sent by Enter',
      body: 'one\n',
    });
    await open('/docs/#/posts/deletePost');
    await field('deletePost', 'id').fill(String(post.id));
    await field('deletePost', 'id').press('Enter');
    await page.waitForTimeout(300);
    expect((await service.get(post.path)).status).toBe(200);
  });

  it('keeps what was typed on Back and Forward, and asks before it is lost', async () => {
    const post = await service.create();
    // Both steps back stay on the page.
    await open(`/posts/?id=${post.id}`);
    await link('listPosts', String(post.id)).click();
    await operation('getPost').getByText('200 OK').waitFor();
    await operation('createPost').locator('.opblock-summary-control').click();
    const title = field('createPost', 'title');
    await title.fill('Not stored yet');
    await operation('createPost').getByLabel('Request content type').selectOption('application/json');
    await operation('createPost').getByLabel('Request content type').selectOption('multipart/form-data');
    await poll(() => title.inputValue()).toBe('Not stored yet');
    await page.goBack();
    await poll(() => page.url()).toBe(`${service.baseUrl}/docs/?id=${post.id}#/posts/getPost`);
    await poll(() => page.title()).toBe(`Read a post ${post.id} · Posts Service`);
    await link('getPost', 'Edit').click();
    await operation('replacePost').getByText('Loaded.').waitFor();
    await page.goBack();
    await page.goBack();
    await page.goForward();
    await page.goForward();
    await poll(() => page.title()).toBe(`Replace a post ${post.id} · Posts Service`);
    expect(await title.inputValue()).toBe('Not stored yet');

    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('void setTimeout(() => location.reload())');
    await poll(() => questions).toEqual(['beforeunload']);
    expect((await execute('createPost')).status).toBe('201');
    await page.reload();
    expect(questions).toHaveLength(1);
  });

  it('sends the address only by itself: a changed id is the id that is sent', async () => {
    const named = await service.create();
    const typed = await service.create();
    await open(`/docs/?id=${named.id}#/posts/deletePostByQuery`);
    const id = field('deletePostByQuery', 'id');
    await poll(() => id.inputValue()).toBe(String(named.id));
    await id.fill(String(typed.id));
    await operation('deletePostByQuery').getByRole('button', { name: 'Execute' }).click();
    await operation('deletePostByQuery').getByText('204 No Content').waitFor();
    expect((await service.get(named.path)).status).toBe(200);
    expect((await service.get(typed.path)).status).toBe(404);
  });

  it('listens to changes, shows each, continues after the connection broke, and says why it was refused', async () => {
    const listening = await startService();
    await newPage({}, listening);
    await open('/docs/#/posts/listPosts', listening);
    const form = operation('listPosts');
    const log = form.getByRole('log', { name: 'Changes' });
    const says = (text: string): Promise<void> => form.getByRole('status').getByText(text).waitFor();
    await form.locator('[data-param-name=fields] select').selectOption(['id', 'title']);
    await form.getByRole('button', { name: 'Listen to changes' }).click();
    await says('Listening to all posts.');
    const heron = await listening.create({ title: '<b>A heron</b>' });
    await log.getByText(`{"id":${heron.id},"title":"<b>A heron</b>"}`, { exact: true }).waitFor();
    await listening.delete(heron.path);
    await log.getByText(/^\{"id":\d+,"deleted_at":"/).waitFor();
    expect(await log.locator('strong').allInnerTexts()).toEqual(['deleted', 'post']);
    await log.getByRole('link', { name: String(heron.id), exact: true }).waitFor();
    expect(sent).toEqual(['GET /posts/', 'GET /posts/?fields=id%2Ctitle']);
    expect(await barriersOf(page)).toEqual([]);

    complaints.allow('ERR_INCOMPLETE_CHUNKED_ENCODING');
    // It says so until the browser has tried again, after two seconds.
    const saysThatItBroke = says('The connection broke.');
    listening.app.getHttpServer().closeAllConnections();
    await saysThatItBroke;
    const { id } = await listening.create({ title: 'Stored meanwhile' });
    await log.getByText(`{"id":${id},"title":"Stored meanwhile"}`, { exact: true }).waitFor();
    await says('Listening to all posts.');
    // An event may come twice, as the last one before the connection broke.
    expect((await log.locator('strong').allInnerTexts()).slice(0, 1)).toEqual(['post']);

    // The response of a stream does not end: choosing its type leaves only the button that listens.
    const type = form.getByLabel('Media type of the response');
    await type.selectOption('text/event-stream');
    await poll(() => type.inputValue()).toBe('text/event-stream');
    await poll(() => form.getByRole('button', { name: 'Execute' }).count()).toBe(0);
    await form.getByRole('button', { name: 'Stop listening' }).click();
    await says('Stopped.');
    complaints.allowRefusals(400);
    await field('listPosts', 'modified_after').fill('yesterday');
    await field('listPosts', 'modified_after').press('Enter');
    await says('400: modified_after: The value must be');
  });

  it('says in a sentence that there was no answer', async () => {
    complaints.allow('ERR_INTERNET_DISCONNECTED');
    await open('/docs/#/posts/createPost');
    await page.route('**/posts/', (route) => route.abort('internetdisconnected'));
    await operation('createPost').getByRole('button', { name: 'Execute' }).click();
    const outcome = operation('createPost').locator('.outcome');
    await poll(() => outcome.innerText()).toMatch(
      /^No answer: the service is stopped, or the network is down/,
    );
  });

  it('works over plain HTTP, in all media types', async () => {
    const plain = await startService({ ALLOWED_HOSTS: 'posts.test' });
    const byName = { baseUrl: plain.baseUrl.replace('127.0.0.1', 'posts.test') };
    await newPage({}, byName);
    // The page is as safe as it can be without TLS.
    complaints.allow('Cross-Origin-Opener-Policy');
    await open('/docs/#/posts/createPost', byName);
    expect(await page.evaluate('isSecureContext')).toBe(false);
    const types = operation('createPost').getByLabel('Request content type');
    for (const type of ['multipart/form-data', 'application/x-www-form-urlencoded']) {
      await types.selectOption(type);
      await field('createPost', 'title').fill(type);
      expect((await execute('createPost')).status).toBe('201');
    }
    await types.selectOption('application/json');
    await operation('createPost')
      .getByRole('textbox', { name: 'Request body' })
      .fill('{"title": "JSON", "body": ""}');
    expect((await execute('createPost')).status).toBe('201');
  });
});
