import { describeInBrowser } from '../support/browser.js';
import type { PostJson } from '../support/posts.js';
import { swaggerUi } from '../support/swagger-ui.js';
import { poll } from '../support/until.js';

describeInBrowser('Swagger UI under a BASE_PATH', () => {
  const form = swaggerUi({ BASE_PATH: '/blog' });
  const { operation } = form;
  const urlOf = (id: string): Promise<string> => operation(id).locator('.request-url pre').innerText();

  it('lists the operations on posts first, all collapsed', async () => {
    await form.page.goto(`${form.service.baseUrl}/docs/`);
    await form.page.locator('.opblock-tag').first().waitFor();
    await poll(() => form.page.title()).toBe('Posts Service: the API and its forms');
    expect(await form.page.locator('.info h1').innerText()).toMatch(/^Posts Service/);
    await poll(() => form.page.locator('.opblock-summary-path').allInnerTexts()).toHaveLength(8);
    expect(await form.page.locator('.opblock.is-open').count()).toBe(0);
    await poll(() => form.page.locator('.opblock-tag').allInnerTexts()).toEqual([
      expect.stringMatching(/^posts\b/),
      expect.stringMatching(/^problems\b/),
      expect.stringMatching(/^discovery\b/),
      expect.stringMatching(/^operations\b/),
      expect.stringMatching(/^head-and-options\b/),
    ]);
  });

  it('opens at the matching operation when a browser requests the list or a post', async () => {
    await form.open('/posts/');
    // The posts are shown, without another click.
    await operation('listPosts')
      .locator('.live-responses-table .response')
      .getByText('200')
      .first()
      .waitFor();
    // No defaults are added to the address.
    await poll(() => form.page.url()).toBe(`${form.service.baseUrl}/docs/#/posts/listPosts`);
    form.complaints.allowRefusals(404);
    await form.open('/posts/1/');
    await poll(() => form.page.url()).toBe(`${form.service.baseUrl}/docs/?id=1#/posts/getPost`);
    await operation('getPost').getByRole('button', { name: 'Execute' }).waitFor();
    expect(await form.page.locator('.opblock.is-open').count()).toBe(1);
  });

  it('has one input for each form field, and stores the values', async () => {
    await form.open('/posts/');
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
        .and(form.page.locator(`[data-property-name="${name}"]`))
        .getByRole('textbox', { name, exact: true })
        .fill(value);
    }
    const { status, body } = await form.execute('createPost');
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
    const found = await form.execute('getPost');
    expect(found.status).toBe('200');
    expect(await urlOf('getPost')).toBe(`${form.service.baseUrl}/posts/${stored.id}/`);
    expect(JSON.parse(found.body)).toEqual(stored);
  });

  it('sends a list as one parameter', async () => {
    await form.open('/docs/#/posts/listPosts');
    await operation('listPosts').getByRole('button', { name: 'Add integer item' }).click();
    await operation('listPosts').locator('[data-param-name=id] input').fill('1');
    await operation('listPosts').locator('[data-param-name=fields] select').selectOption(['id', 'title']);
    const { status } = await form.execute('listPosts');
    expect(status).toBe('200');
    expect(new URL(await urlOf('listPosts')).searchParams.get('fields')).toBe('id,title');
  });
});
