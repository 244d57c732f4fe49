// Measures the longest task of the browser's main thread on pages of the administration site, with 5,000 posts: the
// median of three runs, and the CPU time of that task, which counts on a busy machine. Needs `npm run build` and
// Chromium (set CHROMIUM if it is not at Debian's path).
import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const PORT = '3998';
const BASE = `http://127.0.0.1:${PORT}`;
const PROGRAM = join(import.meta.dirname, '../bin/posts-service.cjs');
const credentials = { username: 'admin', password: 'correct horse battery' };
const ROUNDS = 3;
const LIST = 'posts?limit=100';

/**
 * A page to open first, if any, and a page to open or a script to run, which is measured.
 *
 * @type {Record<string, { from?: string, to?: string, run?: string }>}
 */
const CASES = {
  'dashboard, first load': { to: '' },
  'list of 100, first load': { to: LIST },
  'list of 100, sorted': { from: LIST, run: `document.querySelector('thead [role=button]').click()` },
  'list of 100, all selected': { from: LIST, run: `document.querySelector('thead input').click()` },
  'a post, first load': { to: 'posts/7' },
  'its history, first load': { to: 'posts/7/history' },
  'change log, first load': { to: 'changes' },
};

const folder = await mkdtemp(join(tmpdir(), 'posts-tasks-'));
const surroundings = {
  cwd: folder,
  env: {
    PATH: process.env['PATH'],
    DATABASE_URL: `sqlite:${join(folder, 'posts.sqlite')}`,
    PORT,
    ADMIN_PASSWORD: credentials.password,
    LOG_FORMAT: 'json',
  },
};
execFileSync(process.execPath, [PROGRAM, 'seed', '5000'], surroundings);
const service = spawn(process.execPath, [PROGRAM], { ...surroundings, stdio: ['ignore', 'pipe', 'inherit'] });
const lines = createInterface(service.stdout);
lines.on('line', (line) => line.includes('listens on') && lines.emit('listening'));
await once(lines, 'listening');
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const response = await fetch(`${BASE}/admin/api/sessions/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const session = JSON.stringify(await response.json());
  for (const [name, steps] of Object.entries(CASES)) {
    const tasks = [];
    for (let round = 0; round < ROUNDS; round += 1) tasks.push(await longestTask(steps, session));
    const sorted = tasks.toSorted((one, other) => one.dur - other.dur);
    const { dur = 0, tdur = 0 } = sorted[Math.floor(ROUNDS / 2)] ?? {};
    console.log(`${name}: ${Math.round(dur / 1_000)} ms, ${Math.round(tdur / 1_000)} ms of CPU time`);
  }
} finally {
  await browser.close();
  service.kill();
  await once(service, 'exit');
  await rm(folder, { recursive: true });
}

/**
 * @param {{ from?: string, to?: string, run?: string }} steps
 * @param {string} session as JSON
 * @returns {Promise<{ dur: number, tdur: number }>} its duration and its CPU time, in microseconds
 */
async function longestTask({ from, to, run }, session) {
  // A profile of its own: nothing is cached.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('posts-admin.session', ${JSON.stringify(session)})`);
  await page.goto(from === undefined ? 'about:blank' : `${BASE}/admin/${from}`);
  await sleep(2_000);
  const protocol = await context.newCDPSession(page);
  /** @type {any[]} */
  const events = [];
  protocol.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const categories = { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] };
  await protocol.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: categories });
  if (run !== undefined) await protocol.send('Runtime.evaluate', { expression: run });
  else await protocol.send('Page.navigate', { url: `${BASE}/admin/${to}` });
  await sleep(3_000);
  const ended = new Promise((resolve) => protocol.once('Tracing.tracingComplete', resolve));
  await protocol.send('Tracing.end');
  await ended;
  await context.close();
  const threads = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  return events
    .filter(({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && threads.has(`${pid} ${tid}`))
    .reduce((longest, task) => (task.dur > longest.dur ? task : longest), { dur: 0, tdur: 0 });
}

/** Whether a trace event names the main thread of a page. @param {any} event */
function isMain({ name, args }) {
  return name === 'thread_name' && args.name === 'CrRendererMain';
}
