// Measures the longest task of the browser's main thread on pages of the administration site, with 5,000 posts: the
// median of some runs of the longest CPU time of a task. (On a busy machine, a short task can last long.) See
// browsed-service.js for what it needs.
import { setTimeout as sleep } from 'node:timers/promises';
import { CREDENTIALS, startBrowsedService } from './browsed-service.js';

const PORT = '3998';
const BASE = `http://127.0.0.1:${PORT}`;
const ROUNDS = 5;
const LIST = 'posts?limit=100';
/** Most sample posts have it. */
const WORD = 'the';

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
  'list of 100, its next page': {
    from: LIST,
    run: `document.querySelector('[aria-label="Page 2"]').click()`,
  },
  'list of 100, back from a post': {
    from: LIST,
    run: `document.querySelector('tbody a').click(); setTimeout(() => history.back(), 1000)`,
  },
  'list of 100, a word typed into its search': {
    from: LIST,
    run: `document.querySelector('[type=search]').focus(); document.execCommand('insertText', false, '${WORD}')`,
  },
  'list of 100 with a search, first load': { to: `${LIST}&search=${WORD}` },
  'a post, first load': { to: 'posts/7' },
  'its history, first load': { to: 'posts/7/history' },
  'a new post, first load': { to: 'posts/create' },
  'change log, first load': { to: 'changes' },
};

const { browser, stop } = await startBrowsedService(PORT, '5000');
try {
  const response = await fetch(`${BASE}/admin/api/sessions/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(CREDENTIALS),
  });
  const session = JSON.stringify(await response.json());
  for (const [name, steps] of Object.entries(CASES)) {
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await longestTask(steps, session));
    const median = times.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)];
    console.log(`${name}: ${median} ms of CPU time (${times.join(', ')})`);
  }
} finally {
  await stop();
}

/**
 * @param {{ from?: string, to?: string, run?: string }} steps
 * @param {string} session as JSON
 * @returns {Promise<number>} its CPU time, in milliseconds
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
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name === 'RunTask' && ph === 'X' && threads.has(`${pid} ${tid}`),
  );
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000);
}

/** Whether a trace event names the main thread of a page. @param {any} event */
function isMain({ name, args }) {
  return name === 'thread_name' && args.name === 'CrRendererMain';
}
