import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Download,
  type Page,
} from 'playwright-core';
import { mkdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { until } from './until.js';

/** The browser of this run, which browser-setup.js has started. */
const BROWSER = process.env['TEST_BROWSER'];

/** Skips browser tests on a developer's machine without Chromium. In CI, they fail without it. */
export const describeInBrowser =
  BROWSER === undefined && process.env['CI'] === undefined ? describe.skip : describe;

/** A page, with the faults that it has reported so far. */
export interface OpenPage {
  readonly page: Page;
  readonly complaints: Complaints;
}

/** What a file of tests uses of the browser: its pages must report no faults. */
export class TestBrowser {
  readonly #open: OpenPage[] = [];
  #browser: Browser | undefined;
  /** Used by all pages without special options, so that they share one HTTP cache. */
  #shared: BrowserContext | undefined;

  /** @param options of every page */
  constructor(private readonly options: BrowserContextOptions) {}

  async start(): Promise<void> {
    if (BROWSER === undefined) throw new Error('There is no Chromium. CHROMIUM may name it.');
    this.#browser = await chromium.connect(BROWSER);
  }

  /** Ends the connection, which closes the pages of this file. The browser stays for the other files. */
  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /**
   * Opens an empty page.
   *
   * @param baseUrl of the only service that the page may call
   * @param options give the page a browser profile of its own
   */
  async newPage(baseUrl: string, options?: BrowserContextOptions): Promise<OpenPage> {
    this.#shared ??= await this.#newContext();
    const context =
      options && Object.keys(options).length > 0 ? await this.#newContext(options) : this.#shared;
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const opened = { page, complaints: new Complaints(page, baseUrl) };
    this.#open.push(opened);
    return opened;
  }

  /** Closes the pages, and expects that they reported no faults. Call it after each test. */
  async closePages(): Promise<void> {
    const pages = this.#open.splice(0);
    await Promise.all(
      pages.map(({ page }) => (page.context() === this.#shared ? page : page.context()).close()),
    );
    expect(pages.flatMap(({ complaints }) => complaints.all)).toEqual([]);
  }

  #newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return this.#browser!.newContext({
      viewport: { width: 1280, height: 900 },
      // Differs from UTC all year, so that a missing time zone conversion fails a test.
      timezoneId: 'Europe/Vienna',
      ...this.options,
      ...options,
    });
  }
}

/** The text of a file that the page has saved, with its byte order mark. */
export async function savedText(download: Download): Promise<string> {
  return (await buffer(await download.createReadStream())).toString();
}

/** Uses the clipboard. It belongs to the browser, which all files of tests share, so one test at a time uses it. */
export async function withClipboard(use: () => Promise<void>): Promise<void> {
  const lock = join(tmpdir(), `posts-clipboard-${new URL(BROWSER!).pathname.slice(1)}`);
  const take = (): Promise<boolean> =>
    mkdir(lock).then(
      () => true,
      () => false,
    );
  await until(take);
  try {
    await use();
  } finally {
    await rmdir(lock);
  }
}

/** Chooses the file itself: Playwright would give a browser that it has not started here a copy of it. */
export async function chooseFileOnDisk(page: Page, path: string): Promise<void> {
  await page.locator('input[type=file]').waitFor({ state: 'attached' });
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: `document.querySelector('input[type=file]')`,
  });
  await session.send('DOM.setFileInputFiles', { files: [path], objectId: result.objectId! });
  await session.detach();
}

/** Collects the faults of a page: console errors and warnings, policy violations, and requests to other origins. */
export class Complaints {
  readonly all: string[] = [];
  /** A page aborts requests when it no longer needs the responses. */
  readonly #allowed = ['net::ERR_ABORTED'];

  constructor(page: Page, baseUrl: string) {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.#add(message.text());
    });
    page.on('pageerror', (error) => this.all.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) this.all.push(`asked ${request.url()}`);
    });
    page.on('requestfailed', (request) => this.#add(`${request.url()}: ${request.failure()?.errorText}`));
  }

  #add(text: string): void {
    if (!this.#allowed.some((allowed) => text.includes(allowed))) this.all.push(text);
  }

  /** Ignores console messages about these statuses, which the test provokes. */
  allowRefusals(...statuses: readonly number[]): void {
    this.#allowed.push(...statuses.map((status) => `the server responded with a status of ${status}`));
  }

  /** Ignores faults that the test provokes. */
  allow(text: string): void {
    this.#allowed.push(text);
  }
}
