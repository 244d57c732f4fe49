import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = join(import.meta.dirname, '../bin/posts-service.cjs');

/** The first account of the service. */
export const CREDENTIALS = { username: 'admin', password: 'correct horse battery' };

/**
 * Starts the built service on a database of its own with sample posts, and a browser. Needs `npm run build` and Chromium
 * (set CHROMIUM if it is not at Debian's path).
 *
 * @param {string} port on which the service listens
 * @param {string} posts how many sample posts it has
 */
export async function startBrowsedService(port, posts) {
  const folder = await mkdtemp(join(tmpdir(), 'posts-browsed-'));
  // Every setting is given here or left out, so that neither the environment nor an .env file of the developer counts.
  const surroundings = {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`,
      PORT: port,
      ADMIN_PASSWORD: CREDENTIALS.password,
      LOG_FORMAT: 'json',
    },
  };
  execFileSync(process.execPath, [PROGRAM, 'seed', posts], surroundings);
  const service = spawn(process.execPath, [PROGRAM], {
    ...surroundings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  const lines = createInterface(service.stdout);
  lines.on('line', (line) => line.includes('listens on') && lines.emit('listening'));
  const isListening = await Promise.race([once(lines, 'listening'), ended.then(() => false)]);
  if (!isListening) throw new Error(`The service has ended. Is port ${port} free?`);
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const stop = async () => {
    await browser.close();
    service.kill();
    await ended;
    await rm(folder, { recursive: true });
  };
  return { browser, stop };
}
