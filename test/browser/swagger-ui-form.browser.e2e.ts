import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { barriersOf } from '../support/axe.js';
import { describeInBrowser } from '../support/browser.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { swaggerUi } from '../support/swagger-ui.js';
import { poll, until } from '../support/until.js';

/** Swagger UI's own markup has less severe violations. */
const SERIOUS = ['serious', 'critical'];

describeInBrowser('the form of Swagger UI', () => {
  const form = swaggerUi();
  const { operation, field } = form;

  it('requests the post in the address, and shows it or its 404', async () => {
    const post = await form.service.create(aPost({ body: 'one\ntwo' }));
    await form.open(post.path);
    await poll(() => field('getPost', 'id').inputValue()).toBe(String(post.id));
    expect(JSON.parse((await form.shown('getPost')).body)).toEqual(
      (await form.service.get(post.path)).json<PostJson>(),
    );
    form.complaints.allowRefusals(404);
    await form.open('/posts/4711/');
    expect((await form.shown('getPost')).status).toBe('404');
    expect(form.sent).toEqual([`GET ${post.path}`, 'GET /posts/4711/']);
  });

  it('sends the query of the address, and shows its faults', async () => {
    const { id } = await form.service.create(aPost({ title: 'A heron & a ferry' }));
    await form.open('/posts/?search=heron+%26&fields=id,title&ordering=-id');
    await poll(() => field('listPosts', 'search').inputValue()).toBe('heron &');
    await poll(() => operation('listPosts').getByLabel('ordering').inputValue()).toBe('-id');
    expect(JSON.parse((await form.shown('listPosts')).body)).toEqual([{ id, title: 'A heron & a ferry' }]);
    form.complaints.allowRefusals(400);
    await form.open('/posts/?limit=2&colour=red');
    const { status, body } = await form.shown('listPosts');
    expect([status, body]).toEqual(['400', expect.stringContaining('"parameter": "colour"')]);
    expect(form.sent).toEqual([
      'GET /posts/?search=heron+%26&fields=id%2Ctitle&ordering=-id',
      'GET /posts/?limit=2&colour=red',
    ]);
  });

  it.each(['deletePost', 'replacePost', 'deletePostByQuery', 'createPost'])(
    'never sends %s by itself, and does not run markup in values',
    async (id) => {
      const post = await form.service.create();
      await form.open(`/docs/?id=${post.id}&title=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E#/posts/${id}`);
      if (id !== 'createPost') expect(await field(id, 'id').first().inputValue()).toBe(String(post.id));
      await form.page.waitForTimeout(500);
      await poll(() => form.sent).toEqual(id === 'replacePost' ? [`GET ${post.path}`] : []);
      expect((await form.service.get(post.path)).status).toBe(200);
    },
  );

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'stores line breaks and an empty body unchanged, as %s',
    async (mediaType) => {
      await form.open('/docs/#/posts/createPost');
      for (const type of ['multipart/form-data', 'application/json', mediaType])
        await operation('createPost').getByLabel('Request content type').selectOption(type);
      await field('createPost', 'title').fill('Line breaks');
      for (const body of ['one\n\n  two\n', '']) {
        await field('createPost', 'body').fill(body);
        const response = await form.execute('createPost');
        expect(response.status).toBe('201');
        const { id } = JSON.parse(response.body) as PostJson;
        expect((await form.service.get(`/posts/${id}/`)).json<PostJson>().body).toBe(body);
      }
    },
  );

  it('starts empty, with examples as placeholders, and shows the faults of the service at their fields', async () => {
    form.complaints.allowRefusals(400);
    await form.open('/docs/#/posts/createPost');
    const title = field('createPost', 'title');
    expect(await title.getAttribute('placeholder')).toBe('Hello, world');
    expect(
      await Promise.all(['title', 'body'].map((name) => field('createPost', name).inputValue())),
    ).toEqual(['', '']);
    await field('createPost', 'pub_date').fill('yesterday');
    expect((await form.execute('createPost')).status).toBe('400');
    const faultOf = (name: string): Promise<string> =>
      operation('createPost').locator(`[data-property-name=${name}] [role=alert]`).innerText();
    await poll(() => faultOf('title')).toMatch(/must not be empty/);
    await poll(() => faultOf('pub_date')).toMatch(/date and time of ISO 8601/);
    await poll(() => faultOf('body')).toBe('');
    expect(await title.getAttribute('aria-invalid')).toBe('true');

    await form.open('/docs/?limit=1001#/posts/listPosts');
    await operation('listPosts')
      .locator('[data-param-name=limit] [role=alert]', { hasText: '1 to 1000' })
      .waitFor();
    await form.page.goto('about:blank');
    await form.page.goto(`${form.service.baseUrl}/docs/#/posts/createPost`);
    await operation('createPost').getByLabel('Request content type').selectOption('application/json');
    expect((await form.execute('createPost')).status).toBe('400');
    await operation('createPost').getByRole('alert').getByText('must not be empty').waitFor();
  });

  it('shows the status beside the button, and the outcome on the screen', async () => {
    await form.open('/posts/?limit=1');
    const button = operation('listPosts').locator('.execute-wrapper, .btn-group');
    await button.getByText('200 OK').waitFor();
    const placeOnScreen = (): Promise<number> =>
      operation('listPosts')
        .locator('.live-responses-table')
        .evaluate((table) => table.getBoundingClientRect().top);
    const isInView = async (): Promise<boolean> => {
      const top = await placeOnScreen();
      return top >= 0 && top < 900;
    };
    await poll(isInView).toBe(true);
    await form.page.evaluate('window.scrollTo(0, 0)');
    await operation('listPosts').getByRole('button', { name: 'Execute' }).click();
    await poll(isInView).toBe(true);
  });

  it('shows the posts of a list, of pages and of a created post as links', async () => {
    const [older, newer] = [
      await form.service.create({ title: 'Older' }),
      await form.service.create({ title: 'Newer' }),
    ];
    await form.open(`/posts/?id=${older.id},${newer.id}&limit=1&ordering=-id`);
    await operation('listPosts').getByRole('listitem').filter({ hasText: 'Newer' }).waitFor();
    await operation('listPosts').getByRole('link', { name: 'Next page' }).click();
    await operation('listPosts').getByRole('listitem').filter({ hasText: 'Older' }).waitFor();
    await operation('listPosts').getByRole('link', { name: 'Previous page' }).click();
    await operation('listPosts')
      .getByRole('link', { name: String(newer.id), exact: true })
      .click();
    await poll(() => form.page.url()).toBe(`${form.service.baseUrl}/docs/?id=${newer.id}#/posts/getPost`);

    await operation('createPost').locator('.opblock-summary-control').click();
    await field('createPost', 'title').fill('Created here');
    expect((await form.execute('createPost')).status).toBe('201');
    await operation('createPost').getByRole('link', { name: 'Open the post' }).click();
    await operation('getPost').getByText('"Created here"').first().waitFor();
  });

  it('leads from a post to its edit and its deletion with one click', async () => {
    const post = await form.service.create({ title: 'To be changed' });
    await form.open(post.path);
    await operation('getPost').getByRole('link', { name: 'Edit' }).click();
    await poll(() => field('replacePost', 'title').inputValue()).toBe('To be changed');
    await form.open(post.path);
    await operation('getPost').getByRole('link', { name: 'Delete' }).click();
    await poll(() => field('deletePost', 'id').inputValue()).toBe(String(post.id));
    expect((await form.service.get(post.path)).status).toBe(200);
    await operation('deletePost').getByRole('button', { name: 'Execute' }).click();
    await operation('deletePost').getByText('204 No Content').waitFor();
    expect((await form.service.get(post.path)).status).toBe(404);
  });

  it('keeps the request in the address of the page', async () => {
    await form.service.create({ title: 'A kept address' });
    await form.open('/docs/#/posts/listPosts');
    await field('listPosts', 'search').fill('kept address');
    await form.execute('listPosts');
    await poll(() => form.page.url()).toMatch(/\/docs\/\?.*search=kept\+address#\/posts\/listPosts$/);
    await form.page.reload();
    await poll(() => field('listPosts', 'search').inputValue()).toBe('kept address');
    await operation('listPosts').getByRole('listitem').filter({ hasText: 'A kept address' }).waitFor();
  });

  it('loads a post to edit, with its ETag', async () => {
    const post = await form.service.create(aPost({ title: 'Before', body: 'one\r\ntwo' }));
    await form.open(`/docs/?id=${post.id}#/posts/replacePost`);
    const load = operation('replacePost').getByRole('button', { name: 'Load the post' });
    await operation('replacePost').getByText('Loaded.').waitFor();
    await poll(() => field('replacePost', 'title').inputValue()).toBe('Before');
    await field('replacePost', 'body').fill('one\ntwo\nthree');
    expect((await form.execute('replacePost')).status).toBe('200');
    const stored = (await form.service.get(post.path)).json<PostJson>();
    expect(stored).toEqual({ ...stored, title: 'Before', body: 'one\r\ntwo\r\nthree' });

    // The form has taken over the new ETag; a change by another client is still detected.
    expect((await form.execute('replacePost')).status).toBe('200');
    await form.service.put(post.path, { title: 'Before', body: 'changed elsewhere' });
    form.complaints.allowRefusals(404, 412);
    expect((await form.execute('replacePost')).status).toBe('412');
    await load.click();
    await poll(() => field('replacePost', 'body').inputValue()).toBe('changed elsewhere');
    await operation('replacePost').getByLabel('Request content type').selectOption('application/json');
    await load.click();
    await poll(async () =>
      JSON.parse(await operation('replacePost').locator('.body-param textarea').inputValue()),
    ).toEqual({ title: stored.title, pub_date: stored.pub_date, body: 'changed elsewhere' });
    expect((await form.execute('replacePost')).status).toBe('200');
    await field('replacePost', 'id').fill('4711');
    await form.page.waitForTimeout(600);
    await load.click();
    await operation('replacePost')
      .getByText(/^404: /)
      .waitFor();
  });

  it('has no example values in a PUT, and keeps typed input until the post is asked for', async () => {
    const [one, other] = [
      await form.service.create({ title: 'One' }),
      await form.service.create({ title: 'Other' }),
    ];
    const [id, title] = [field('replacePost', 'id').first(), field('replacePost', 'title')];
    const load = operation('replacePost').getByRole('button', { name: 'Load the post' });
    const ifMatch = (): Promise<string> => field('replacePost', 'If-Match').inputValue();
    await form.open('/docs/#/posts/replacePost');
    await poll(() => title.inputValue()).toBe('');
    await poll(() => field('replacePost', 'body').inputValue()).toBe('');
    for (const post of [one, other]) {
      await id.fill(String(post.id));
      await form.page.waitForTimeout(600);
      await load.click();
      await until(async () => (await title.inputValue()) === post.title);
      await until(async () => (await ifMatch()) === post.etag);
    }
    await title.fill('Typed');
    await id.fill(String(one.id));
    await form.page.waitForTimeout(600);
    expect([await title.inputValue(), await ifMatch()]).toEqual(['Typed', other.etag]);
    form.complaints.allowRefusals(412);
    expect((await form.execute('replacePost')).status).toBe('412');

    await form.open('/docs/#/posts/replacePost');
    await operation('replacePost').getByLabel('Request content type').selectOption('application/json');
    const json = operation('replacePost').locator('.body-param textarea');
    await poll(async () => JSON.parse(await json.inputValue())).toEqual({ title: '', body: '' });
  });

  it('filters by a title of 200 code points, and shows header fields unchanged', async () => {
    const title = '🦊'.repeat(200);
    await form.service.create(aPost({ title }));
    await form.open('/docs/#/posts/listPosts');
    await field('listPosts', 'title').fill(title);
    const { status, body } = await form.execute('listPosts');
    expect([status, JSON.parse(body)]).toMatchObject(['200', [{ title }]]);
    const headers = await operation('listPosts').locator('.live-responses-table').innerText();
    expect(headers).toMatch(/last-modified: \w{3}, \d\d \w{3} \d{4} /);
  });

  it('shows a request as a curl command that sends the same request', async () => {
    await form.open('/docs/#/posts/createPost');
    const title = `It’s "curl", 'quoted' \\ $(id) 🦊`;
    await field('createPost', 'title').fill(title);
    await form.execute('createPost');
    const command = await operation('createPost').locator('.request-snippets pre').innerText();
    // Asynchronous, because the service runs in this process and must be able to respond.
    const { stdout } = await promisify(execFile)('bash', ['-c', command]);
    expect(stdout).toContain(JSON.stringify(title));
  });

  it('keeps the token for the tab', async () => {
    const guarded = await startService({ API_TOKENS: 'a-token-of-some-length' });
    await form.newPage({}, guarded);
    form.complaints.allowRefusals(401);
    await form.open('/docs/#/posts/createPost', guarded);
    expect((await form.execute('createPost')).status).toBe('401');
    await form.page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await form.page.locator('.auth-container input').fill('a-token-of-some-length');
    await form.page.locator('.auth-container').getByRole('button', { name: 'Apply credentials' }).click();
    await form.page.reload();
    await field('createPost', 'title').fill('Written with the token');
    expect((await form.execute('createPost')).status).toBe('201');
    await guarded.stop();
  });

  it.each(['light', 'dark'] as const)(
    'has no serious accessibility violation in %s colours, and fits a phone',
    async (colorScheme) => {
      const post = await form.service.create();
      await form.newPage({ colorScheme, viewport: { width: 390, height: 800 } });
      for (const path of [post.path, '/posts/?limit=3', '/docs/#/posts/createPost']) {
        await form.open(path);
        if (path !== '/docs/#/posts/createPost')
          await form.page.locator('.live-responses-table').first().waitFor();
        expect(await barriersOf(form.page, SERIOUS)).toEqual([]);
        expect(await form.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      }
      const isDark = await form.page.evaluate("document.documentElement.classList.contains('dark-mode')");
      expect(isDark).toBe(colorScheme === 'dark');
    },
  );
});
