import { type Browser, chromium, type Page } from 'playwright-core';
import { existsSync } from 'node:fs';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));

/** Root cannot use the sandbox. The other options stop Chromium's background requests. */
const CHROMIUM_OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Skips browser tests on a machine without Chromium. */
export const describeInBrowser = executablePath === undefined ? describe.skip : describe;

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_OPTIONS });
}

const OFFLINE = 'net::ERR_INTERNET_DISCONNECTED';
const CHANGED = 'net::ERR_UPLOAD_FILE_CHANGED';

/** Collects the faults of a page: console errors and warnings, policy violations, and requests to other origins. */
export class Complaints {
  readonly #complaints: string[] = [];
  readonly #refusals = new Set<number>();
  #mayBeOffline = false;
  #mayHaveChangedFiles = false;

  /** @param baseUrl of the only service that the page may call */
  constructor(page: Page, baseUrl: string) {
    page.on('console', (message) => {
      const text = message.text();
      const refusal = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1];
      if (refusal !== undefined && this.#refusals.has(Number(refusal))) return;
      if (this.#mayBeOffline && text.includes(OFFLINE)) return;
      if (this.#mayHaveChangedFiles && text.includes(CHANGED)) return;
      if (['error', 'warning'].includes(message.type())) this.#complaints.push(text);
    });
    page.on('pageerror', (error) => this.#complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${baseUrl}/`)) this.#complaints.push(`asked ${request.url()}`);
    });
    page.on('requestfailed', (request) => {
      // A page aborts requests when it no longer needs the responses.
      const reason = request.failure()?.errorText;
      const isExpected =
        reason === 'net::ERR_ABORTED' ||
        (this.#mayBeOffline && reason === OFFLINE) ||
        (this.#mayHaveChangedFiles && reason === CHANGED);
      if (!isExpected) this.#complaints.push(`${request.url()} failed: ${reason}`);
    });
  }

  /** Ignores console messages about these statuses, which the test provokes. */
  allowRefusals(...statuses: readonly number[]): void {
    for (const status of statuses) this.#refusals.add(status);
  }

  /** Ignores the failure of an upload whose file has changed on the disk. */
  allowFileChanges(): void {
    this.#mayHaveChangedFiles = true;
  }

  allowOffline(): void {
    this.#mayBeOffline = true;
  }

  get all(): readonly string[] {
    return this.#complaints;
  }
}
