import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { Complaints, launchBrowser } from './browser.js';
import { AdminClient, PASSWORD } from './admin.js';
import type { HttpResponse, RequestOptions } from './http-client.js';
import { aPost, type PostJson } from './posts.js';
import { type Service, startService } from './service.js';

/** The sessionStorage key of the site's session. */
const SESSION_KEY = 'posts-admin.session';

/** Differs from UTC all year, so that a missing time zone conversion fails a test. */
const TIME_ZONE = 'Europe/Vienna';

/** A page of the site, with the faults that it has reported so far. */
export interface SitePage {
  readonly page: Page;
  readonly complaints: Complaints;
}

/**
 * Starts the site before the tests of a `describe` and stops it after them. After each test, closes the pages and
 * expects that they reported no faults.
 *
 * @param environment called when the site starts
 */
export function adminSite(environment: () => Record<string, string> = () => ({})): AdminSite {
  const site = new AdminSite();
  beforeAll(() => site.start(environment()));
  afterAll(() => site.stop());
  afterEach(async () => {
    expect(await site.closePages()).toEqual([]);
  });
  return site;
}

/** A service, a browser, and the site in it. Each page has its own session, because a session belongs to one tab. */
class AdminSite {
  readonly #open: SitePage[] = [];
  #service: Service | undefined;
  #browser: Browser | undefined;
  /** Used by all pages without special options, so that they share one HTTP cache. */
  #shared: Promise<BrowserContext> | undefined;

  async start(environment: Record<string, string>): Promise<void> {
    [this.#service, this.#browser] = await Promise.all([
      startService({ ADMIN_PASSWORD: PASSWORD, ...environment }),
      launchBrowser(),
    ]);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#service?.stop();
  }

  get service(): Service {
    return this.#service!;
  }

  /** The URL of a page of the site: `posts/7`. */
  url(path = ''): string {
    return `${this.service.baseUrl}/admin/${path}`;
  }

  /** Sends a request without the browser. @param path below the service's prefix */
  request(method: string, path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    return this.service.request(method, this.service.baseUrl + path, options);
  }

  /** Creates a post. The test states only the fields that matter. */
  async create(overrides: Partial<PostJson> = {}): Promise<PostJson> {
    const response = await this.request('POST', '/posts/', { json: aPost(overrides) });
    expect(response.status).toBe(201);
    return response.json<PostJson>();
  }

  /** The post as it is stored. */
  async read(id: number): Promise<PostJson> {
    return (await this.request('GET', `/posts/${id}/`)).json<PostJson>();
  }

  /** Logs in through the API. */
  logIn(username?: string, password?: string): Promise<AdminClient> {
    return AdminClient.logIn(this.service, username, password);
  }

  /** Imports posts with the titles `Tern 01`, `Tern 02` and so on. */
  async importPosts(word: string, count: number, body = ''): Promise<void> {
    const titles = Array.from({ length: count }, (_, n) => `${word} ${String(n + 1).padStart(2, '0')}`);
    const lines = titles.map((title) => JSON.stringify({ title, body }));
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const response = await this.request('POST', '/posts/', { headers, body: lines.join('\n') });
    expect(response.status).toBe(201);
  }

  /** Opens a page that is not logged in. */
  async openAsStranger(path = '', options: BrowserContextOptions = {}): Promise<SitePage> {
    return this.#goTo(path, options);
  }

  /** Opens a page that is logged in. */
  async open(path = '', options: BrowserContextOptions = {}): Promise<SitePage> {
    return this.#goTo(path, options, (await this.logIn()).session);
  }

  /** Closes the pages and returns the faults that they reported. Runs after each test. */
  async closePages(): Promise<readonly string[]> {
    const pages = this.#open.splice(0);
    const shared = await this.#shared;
    await Promise.all(pages.map(({ page }) => (page.context() === shared ? page : page.context()).close()));
    return pages.flatMap(({ complaints }) => complaints.all);
  }

  async #goTo(path: string, options: BrowserContextOptions, session?: object): Promise<SitePage> {
    this.#shared ??= this.#newContext({});
    const context = await (Object.keys(options).length > 0 ? this.#newContext(options) : this.#shared);
    const page = await context.newPage();
    if (session) await page.addInitScript(seedSession(session));
    page.setDefaultTimeout(60_000);
    const sitePage = { page, complaints: new Complaints(page, this.service.baseUrl) };
    this.#open.push(sitePage);
    await page.goto(this.url(path));
    return sitePage;
  }

  #newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return this.#browser!.newContext({
      viewport: { width: 1280, height: 900 },
      timezoneId: TIME_ZONE,
      reducedMotion: 'reduce',
      ...options,
    });
  }
}

/** Sets the session once per page, so that a log-out survives a reload. */
function seedSession(session: object): string {
  const value = JSON.stringify(JSON.stringify(session));
  return `if (!sessionStorage.getItem('seeded')) {
    sessionStorage.setItem('seeded', '1');
    sessionStorage.setItem(${JSON.stringify(SESSION_KEY)}, ${value});
  }`;
}

/** The token that the page stores. */
export async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate<string | null>(`sessionStorage.getItem(${JSON.stringify(SESSION_KEY)})`);
  return (JSON.parse(stored ?? '{}') as { token: string }).token;
}
