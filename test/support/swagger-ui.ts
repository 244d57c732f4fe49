import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { Complaints, launchBrowser } from './browser.js';
import { type Service, startService } from './service.js';

/** A response as Swagger UI shows it. */
interface Shown {
  readonly status: string;
  readonly body: string;
}

/**
 * Starts a service and a browser before the tests of a `describe` and stops them after it. Each test has a new page; after
 * it, expects that the page reported no faults.
 */
export function swaggerUi(environment: Record<string, string> = {}): SwaggerUi {
  const form = new SwaggerUi();
  beforeAll(() => form.start(environment));
  afterAll(() => form.stop());
  beforeEach(() => form.newPage());
  afterEach(async () => {
    expect(form.complaints.all).toEqual([]);
    await form.closePage();
  });
  return form;
}

/** Swagger UI in a page of the browser. */
class SwaggerUi {
  service!: Service;
  page!: Page;
  complaints!: Complaints;
  /** The method and target of the page's requests to the API. */
  sent: string[] = [];
  #browser!: Browser;
  /** Used by all pages without special options, so that they share one HTTP cache. */
  #shared!: BrowserContext;

  async start(environment: Record<string, string>): Promise<void> {
    [this.#browser, this.service] = await Promise.all([launchBrowser(), startService(environment)]);
    this.#shared = await this.#newContext({});
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    await this.service.stop();
  }

  /** Opens a page, which replaces the current one. @param of another service than that of the tests */
  async newPage(options?: BrowserContextOptions, of: Service = this.service): Promise<void> {
    await this.closePage();
    const context = options ? await this.#newContext(options) : this.#shared;
    const page = await context.newPage();
    this.page = page;
    this.complaints = new Complaints(page, of.baseUrl);
    this.sent = [];
    page.on('request', (request) => {
      const [, target] = request.url().split(of.baseUrl);
      if (target?.startsWith('/posts/') && !request.isNavigationRequest())
        this.sent.push(`${request.method()} ${target}`);
    });
  }

  async closePage(): Promise<void> {
    const context = this.page?.context();
    await (context === this.#shared ? this.page : context)?.close();
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

  #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: 'Europe/Vienna',
      // Compressing Swagger UI's files takes longer than most of the tests.
      extraHTTPHeaders: { 'Accept-Encoding': 'identity' },
      ...options,
    });
  }
}
