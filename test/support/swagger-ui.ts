import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { type Complaints, TestBrowser } from './browser.js';
import { type Service, startService } from './service.js';

/** A response as Swagger UI shows it. */
interface Shown {
  readonly status: string;
  readonly body: string;
}

/**
 * Starts a service and a browser before the tests of a `describe`. Each test has a new page; after it, expects that the
 * page reported no faults.
 */
export function swaggerUi(environment: Record<string, string> = {}): SwaggerUi {
  const form = new SwaggerUi();
  beforeAll(() => form.start(environment));
  afterAll(() => form.browser.stop());
  beforeEach(() => form.newPage());
  afterEach(() => form.browser.closePages());
  return form;
}

/** Swagger UI in a page of the browser. */
class SwaggerUi {
  service!: Service;
  page!: Page;
  complaints!: Complaints;
  /** The method and target of the page's requests to the API. */
  sent: string[] = [];
  // Compressing Swagger UI's files takes longer than most of the tests.
  readonly browser = new TestBrowser({ extraHTTPHeaders: { 'Accept-Encoding': 'identity' } });

  async start(environment: Record<string, string>): Promise<void> {
    [this.service] = await Promise.all([startService(environment), this.browser.start()]);
  }

  /** Opens a page, which replaces the current one. @param of another service than that of the tests */
  async newPage(options?: BrowserContextOptions, of: Service = this.service): Promise<void> {
    const { page, complaints } = await this.browser.newPage(of.baseUrl, options);
    [this.page, this.complaints, this.sent] = [page, complaints, []];
    page.on('request', (request) => {
      const [, target] = request.url().split(of.baseUrl);
      if (target?.startsWith('/posts/') && !request.isNavigationRequest())
        this.sent.push(`${request.method()} ${target}`);
    });
  }

  /** Opens an operation by its address, and waits until it can be executed. */
  async open(path: string, of: Service = this.service): Promise<void> {
    // Leave the page first: a change of only the fragment does not load it again.
    await this.page.goto('about:blank');
    await this.page.goto(of.baseUrl + path);
    await this.page.locator('.opblock.is-open').getByRole('button', { name: 'Execute' }).waitFor();
  }

  readonly operation = (id: string): Locator => this.page.locator(`#operations-posts-${id}`);

  readonly field = (id: string, name: string): Locator =>
    this.operation(id).getByRole('textbox', { name, exact: true });

  /** Waits for a response. */
  async shown(id: string): Promise<Shown> {
    const response = this.operation(id).locator('.live-responses-table tbody .response');
    return {
      status: await response.locator('.response-col_status').first().innerText(),
      body: await response.locator('.highlight-code pre').first().innerText(),
    };
  }

  async execute(id: string): Promise<Shown> {
    const clear = this.operation(id).getByRole('button', { name: 'Clear' });
    if (await clear.isVisible()) await clear.click();
    await this.operation(id).getByRole('button', { name: 'Execute' }).click();
    return this.shown(id);
  }
}
