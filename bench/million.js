/**
 * Shows what a service with a million posts carries: pages, searches, an import and exports.
 *
 *     npm run bench -- million [--database postgres --posts 1000000]
 *
 * Prints a table. Every request differs, so that no cached response helps.
 */
import 'reflect-metadata';
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { encodePageCursor } from '../dist/src/paging/page-cursor.js';
import { toSelection } from '../dist/src/posts/lists/list-request.js';
import { ANY_CORE, ours, start, usage } from './contestants.js';
import { COMMON_WORD, linesOf, POST_BYTES, postOf, rareWord } from './corpus.js';
import { printTable } from './markdown.js';
import { PostgresStorage, SqliteStorage } from './storage.js';

const { values: options } = parseArgs({
  options: { database: { type: 'string', default: 'sqlite' }, posts: { type: 'string', default: '1000000' } },
});
const posts = Number(options.posts);
/** On SQLite, an import that takes more than 30 seconds to store is refused. */
const POSTS_OF_FILE = 100_000;
const WARM_UP = 50;
const REQUESTS = 200;
const STEPS = WARM_UP + REQUESTS;
const NDJSON = 'application/x-ndjson';
const JSON_BODY = { 'Content-Type': 'application/json' };

const folder = mkdtempSync(join(tmpdir(), 'posts-million-'));
const storage = options.database === 'postgres' ? await PostgresStorage.start() : new SqliteStorage(folder);
const environment = await storage.prepare(0);
const server = await start(ours, { cwd: folder, environment, core: ANY_CORE });
const agent = new Agent({ keepAlive: true });
const rows = [];

const range = (count, of) => Array.from({ length: count }, (_, index) => of(index));
const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const whole = (value) => Math.round(value).toLocaleString('en');

function row(what, measured) {
  rows.push([what, measured]);
  process.stderr.write(`${what}: ${measured} (load average ${loadavg()[0].toFixed(1)})\n`);
}

function quantile(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)];
}

/** @throws when the status is none of success */
async function send(path, { method = 'GET', headers = {}, body } = {}) {
  const sent = request({ port: server.port, path, method, headers, agent });
  const responded = once(sent, 'response');
  if (body instanceof Readable) await pipeline(body, sent);
  else sent.end(body);
  const [response] = await responded;
  if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${await text(response)}`);
  return response;
}

/** Sends GET requests one after another. @returns their times in ms, without those of the warm-up */
async function timesOf(paths, headers) {
  const times = [];
  for (const path of paths) {
    const startedAt = performance.now();
    await text(await send(path, { headers }));
    times.push(performance.now() - startedAt);
  }
  return times.slice(WARM_UP);
}

/** @returns the result of the work, its seconds, and the server's peak memory meanwhile, in MiB */
async function watched(work) {
  let memory = 0;
  const timer = setInterval(() => (memory = Math.max(memory, usage(server).memory)), 100);
  const startedAt = performance.now();
  const result = await work();
  clearInterval(timer);
  return { result, seconds: (performance.now() - startedAt) / 1000, memory };
}

/** Stores the posts with imports, and a single post every 20 ms beside them. */
async function measureImport() {
  // Files first, because generating a post takes as long as reading and validating one.
  const files = range(Math.ceil(posts / POSTS_OF_FILE), (index) => join(folder, `corpus-${index}.ndjson`));
  for (const [index, file] of files.entries()) {
    const lines = linesOf(index * POSTS_OF_FILE + 1, Math.min((index + 1) * POSTS_OF_FILE, posts));
    await pipeline(Readable.from(lines), createWriteStream(file));
  }
  const singles = [];
  const stop = new AbortController();
  const single = { method: 'POST', headers: JSON_BODY, body: '{"title":"single","body":"alone"}' };
  const beside = (async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      await text(await send('/posts/', single));
      singles.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const { seconds, memory } = await watched(async () => {
    for (const file of files) {
      const body = createReadStream(file, { highWaterMark: 262_144 });
      await text(await send('/posts/', { method: 'POST', headers: { 'Content-Type': NDJSON }, body }));
    }
  });
  stop.abort();
  await beside;
  row('import, search index included', `${whole(posts / seconds)}/s`);
  row('single writes during it, p99', ms(quantile(singles, 0.99)));
  row('resident memory during it', `${whole(memory)} MiB`);
}

async function measureExport(name, query) {
  const { result, seconds, memory } = await watched(async () => {
    let lines = 0;
    for await (const chunk of await send(`/posts/${query}`, { headers: { Accept: NDJSON } })) {
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
    }
    return lines;
  });
  row(`export by ${name}`, `${whole(result / seconds)}/s`);
  row('resident memory during it', `${whole(memory)} MiB`);
}

/** Pages by cursor, each from another post near the place: 0 is the start of the list, 1 its end. */
function pagesAt(place, ordering) {
  const { scope } = toSelection({ ordering });
  const first = Math.floor(place * (posts - STEPS - 40));
  return range(STEPS, (step) => {
    const number = posts - first - step;
    const key = ordering === '-id' ? [number] : [postOf(number).pub_date.replace('Z', '000Z'), number];
    const cursor = encodePageCursor({ scope, direction: 'next', key });
    return `/posts/?limit=20&ordering=${ordering}&cursor=${cursor}`;
  });
}

async function measurePages(ordering) {
  for (const [name, place] of Object.entries({ first: 0, middle: 0.5, last: 1 })) {
    const times = await timesOf(pagesAt(place, ordering));
    row(`a page of 20 by ${ordering}, ${name}, p50`, ms(quantile(times, 0.5)));
  }
}

async function measureSearch(name, wordOf) {
  const paths = range(STEPS, (index) => `/posts/?limit=20&search=${encodeURIComponent(wordOf(index))}`);
  row(`search, ${name}, p99`, ms(quantile(await timesOf(paths), 0.99)));
}

/** Search ignores punctuation, but it makes the URL unique. */
const dots = (index) => '.'.repeat(index);
const rare = (index) => rareWord(10 * (1 + Math.floor(((posts / 10 - 1) * index) / STEPS)));

async function measureSearches() {
  await measureSearch('a rare word', rare);
  await measureSearch('a word of every post', (index) => COMMON_WORD + dots(index));
  await measureSearch('its beginning', (index) => `every${dots(index)}`);
  await measureSearch('a common and a rare word', (index) => `${COMMON_WORD} ${rare(index)}`);
  await measureSearch('words of all frequencies', (index) => `${postOf(index + 1).title.split(' ')[0]} `);
  await measureSearch('a word of no post', (index) => `nowhere${index}`);
}

async function measureCount() {
  const times = [];
  for (let index = 0; index < WARM_UP; index++) {
    const body = JSON.stringify({ title: 'counted', body: '' });
    await text(await send('/posts/', { method: 'POST', headers: JSON_BODY, body }));
    const startedAt = performance.now();
    await text(await send('/posts/?limit=1', { headers: { Prefer: 'count=exact' } }));
    times.push(performance.now() - startedAt);
  }
  row('count=exact after a write, p50', ms(quantile(times, 0.5)));
}

try {
  await measureImport();
  await measureExport('id', '?ordering=id');
  await measureExport('date', '');
  row('file ÷ bytes of the posts', ((await storage.size(0)) / (posts * POST_BYTES)).toFixed(2));
  await storage.analyze(environment);
  await measurePages('-id');
  await measurePages('-pub_date');
  await measureSearches();
  await measureCount();
  console.log(`\n${options.database}, ${whole(posts)} posts of ${POST_BYTES} bytes\n`);
  printTable(['what', 'measured'], rows);
} finally {
  agent.destroy();
  server.child.kill('SIGKILL');
  await storage.remove();
  rmSync(folder, { recursive: true, force: true });
}
