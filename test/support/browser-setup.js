// This file is JavaScript, because jest does not transpile globalSetup as an ES module.
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';
import globalSetup from './global-setup.js';

const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Also starts the browser that all files of browser tests share, each with profiles of its own, because a start takes
 * longer than many of the tests. On a developer's machine without Chromium there is none, and the tests are skipped; in CI,
 * they fail.
 */
export default async function browserSetup() {
  await globalSetup();
  const executablePath = CHROMIUM.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) return;
  // The name of a host that has no TLS. (Browsers trust loopback addresses as they trust TLS.)
  const args = ['--disable-gpu', '--disable-quic', '--host-resolver-rules=MAP posts.test 127.0.0.1'];
  const browserServer = await chromium.launchServer({ executablePath, args, host: '127.0.0.1' });
  process.env['TEST_BROWSER'] = browserServer.wsEndpoint();
  Object.assign(globalThis, { browserServer });
}
