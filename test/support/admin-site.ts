import type { BrowserContextOptions, Page } from 'playwright-core';
import { type OpenPage, TestBrowser } from './browser.js';
import { AdminClient, PASSWORD } from './admin.js';
import type { PostJson } from './posts.js';
import { type Service, startService } from './service.js';
import { historyLeftClosed } from './site-locators.js';

/** The sessionStorage key of the site's session. */
const SESSION_KEY = 'posts-admin.session';

/**
 * Starts the site before the tests of a `describe`. After each test, closes the pages and expects that they reported no
 * faults.
 */
export function adminSite(environment: Record<string, string> = {}): AdminSite {
  const site = new AdminSite();
  beforeAll(() => site.start(environment));
  afterAll(() => site.browser.stop());
  afterEach(() => site.browser.closePages());
  return site;
}

/** A service, a browser, and the site in it. Each page has its own session, because a session belongs to one tab. */
class AdminSite {
  service!: Service;
  readonly browser = new TestBrowser({ reducedMotion: 'reduce' });

  async start(environment: Record<string, string>): Promise<void> {
    const starting = startService({ ADMIN_PASSWORD: PASSWORD, ...environment });
    [this.service] = await Promise.all([starting, this.browser.start()]);
  }

  /** The URL of a page of the site: `posts/7`. */
  url(path = ''): string {
    return `${this.service.baseUrl}/admin/${path}`;
  }

  /** The post as it is stored. */
  async read({ path }: { readonly path: string }): Promise<PostJson> {
    return (await this.service.get(path)).json<PostJson>();
  }

  /** Logs in through the API. */
  logIn(username?: string, password?: string): Promise<AdminClient> {
    return AdminClient.logIn(this.service, username, password);
  }

  /** Imports posts with the titles `Tern 01`, `Tern 02` and so on. */
  async importPosts(word: string, count: number, body = ''): Promise<void> {
    const titles = Array.from({ length: count }, (_, n) => `${word} ${String(n + 1).padStart(2, '0')}`);
    const lines = titles.map((title) => JSON.stringify({ title, body }));
    expect((await this.service.import(lines.join('\n'))).status).toBe(201);
  }

  /** Opens a page that is not logged in. */
  openAsStranger(path = '', options?: BrowserContextOptions): Promise<OpenPage> {
    return this.#goTo(path, options);
  }

  /** Opens a page that is logged in. */
  async open(path = '', options?: BrowserContextOptions): Promise<OpenPage> {
    return this.#goTo(path, options, (await this.logIn()).session);
  }

  async #goTo(path: string, options?: BrowserContextOptions, session?: object): Promise<OpenPage> {
    const opened = await this.browser.newPage(this.service.baseUrl, options);
    actAsPeople(opened.page);
    opened.page.context().on('page', actAsPeople);
    if (session) await opened.page.addInitScript(seedSession(session));
    await opened.page.goto(this.url(path));
    return opened;
  }
}

/**
 * Has tests look for texts where people see them: what screen readers are told repeats some of them. And has them open
 * another address only after what they closed has left the browser's history.
 */
function actAsPeople(page: Page): void {
  const shown = page.locator('body > :not(#announcements)');
  page.getByText = (...text) => shown.getByText(...text);
  const goTo = page.goto.bind(page);
  page.goto = async (...address) => {
    await historyLeftClosed(page);
    return goTo(...address);
  };
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
