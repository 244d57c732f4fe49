import { type Browser, chromium, type Page } from 'playwright-core';
import { existsSync } from 'node:fs';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));

/** Root may not have a sandbox; the others keep the browser from calling home. */
const CHROMIUM_OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A machine without Chromium runs all other tests. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_OPTIONS });
}

const OFFLINE = 'net::ERR_INTERNET_DISCONNECTED';

/** What a page did that it must not: errors and warnings, violations of its policy, and requests to elsewhere. */
export class Complaints {
  readonly #complaints: string[] = [];
  readonly #refusals = new Set<number>();
  #mayBeOffline = false;

  /** @param baseUrl of the one service that the page may talk to */
  constructor(page: Page, baseUrl: string) {
    page.on('console', (message) => {
      const text = message.text();
      const refusal = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1];
      if (refusal !== undefined && this.#refusals.has(Number(refusal))) return;
      if (this.#mayBeOffline && text.includes(OFFLINE)) return;
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(text);
    });
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) this.#complaints.push(`asked ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      // A page gives up requests of which it no longer needs the responses.
      const reason = request.failure()?.errorText;
      const isExpected = reason === 'net::ERR_ABORTED' || (this.#mayBeOffline && reason === OFFLINE);
      if (!isExpected) this.#complaints.push(`${request.url()} failed: ${reason}`);
    });
  }

  /** The console tells of every refusal; those that the test brings about are none. */
  allowRefusals(...statuses: readonly number[]): void {
    for (const status of statuses) this.#refusals.add(status);
  }

  allowOffline(): void {
    this.#mayBeOffline = true;
  }

  get all(): readonly string[] {
    return this.#complaints;
  }
}
