/**
 * Shows that a request costs the same for any number of posts, and measures import and export:
 *
 *     npm run bench -- million [--database postgres --posts 1000000 --peers]
 *
 * Prints the tables of docs/performance.md. `--peers` adds limit/offset paging of Django REST framework, where Debian's
 * python3-djangorestframework and gunicorn are installed.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ANY_CORE, ours, start, usage } from './contestants.js';
import { linesOf, POST_BYTES } from './corpus.js';
import { startDjango } from './django.js';
import { printTable } from './markdown.js';
import {
  measureById,
  measureCounts,
  measureOffsets,
  measurePages,
  measureSearches,
  SMALL,
} from './million-tasks.js';
import { Client, quantiles, repeat } from './sequential.js';
import { PostgresStorage, SqliteStorage } from './storage.js';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    posts: { type: 'string', default: '1000000' },
    peers: { type: 'boolean', default: false },
  },
});
const posts = Number(options.posts);
const NDJSON = 'application/x-ndjson';
const ms = (value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const whole = (value) => Math.round(value).toLocaleString('en');

const folder = mkdtempSync(join(tmpdir(), 'posts-million-'));
const storage = options.database === 'postgres' ? await PostgresStorage.start() : new SqliteStorage(folder);
const children = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
}
const rows = [];
function row(what, goal, measured, isMet) {
  rows.push([what, goal, measured, isMet ? 'yes' : 'no']);
  process.stderr.write(`${what}: ${measured} (load average ${loadavg()[0].toFixed(1)})\n`);
}

async function startOurs(environment) {
  const server = await start(ours, { cwd: folder, environment, core: ANY_CORE });
  children.add(server.child);
  return server;
}

async function stop({ child }) {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  children.delete(child);
}

/** Starts the service three times. @returns the median time until the first response, in ms */
async function startTime(environment) {
  const times = [];
  for (let round = 0; round < 3; round++) {
    const server = await startOurs(environment);
    times.push(server.startMs);
    await stop(server);
  }
  return quantiles(times).p50;
}

/** Writes the posts to a file first, because generating a post takes as long as reading and validating one. */
async function writeCorpus(first, last) {
  const file = join(folder, 'corpus.ndjson');
  await pipeline(Readable.from(linesOf(first, last)), createWriteStream(file));
  return file;
}

async function bringIn(server, corpus) {
  const upload = httpRequest({
    port: server.port,
    path: '/posts/',
    method: 'POST',
    headers: { 'Content-Type': NDJSON },
  });
  const responded = once(upload, 'response');
  await pipeline(createReadStream(corpus, { highWaterMark: 262_144 }), upload);
  const [response] = await responded;
  let text = '';
  for await (const chunk of response) text += chunk;
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`);
}

async function takeOut(server, query) {
  const [response] = await once(
    httpRequest({ port: server.port, path: `/posts/${query}`, headers: { Accept: NDJSON } }).end(),
    'response',
  );
  let lines = 0;
  for await (const chunk of response) {
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) lines++;
  }
  return lines;
}

/** @returns the result of the work, its seconds, and the server's peak memory meanwhile, in MiB */
async function watched(server, work) {
  let memory = 0;
  const timer = setInterval(() => (memory = Math.max(memory, usage(server).memory)), 100);
  const startedAt = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - startedAt) / 1000, memory };
  } finally {
    clearInterval(timer);
  }
}

async function measureTransfer(server, client) {
  const single = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"title":"single","body":"alone"}',
  };
  const corpus = await writeCorpus(SMALL + 1, posts);
  const stopSingles = repeat(20, () => client.send('/posts/', single));
  const imported = await watched(server, () => bringIn(server, corpus));
  const singles = quantiles(await stopSingles());
  const speed = (posts - SMALL) / imported.seconds;
  row('import, search index included', '≥ 12,000/s', `${whole(speed)}/s`, speed >= 12_000);
  row('single writes meanwhile, p99', '≤ 100 ms', ms(singles.p99), singles.p99 <= 100);
  row('resident memory in it', '≤ 250 MiB', `${whole(imported.memory)} MiB`, imported.memory <= 250);
  for (const query of ['?ordering=id', '']) {
    const exported = await watched(server, () => takeOut(server, query));
    const perSecond = exported.result / exported.seconds;
    const name = query === '' ? 'by date' : 'by id';
    row(`export, ${name}`, '≥ 100,000/s', `${whole(perSecond)}/s`, perSecond >= 100_000);
    row('resident memory in it', '≤ 250 MiB', `${whole(exported.memory)} MiB`, exported.memory <= 250);
  }
}

/** Alternates between the two, so that other load on the machine affects both. @returns the ratio of the medians */
async function compareById(full, small) {
  const times = { full: [], small: [] };
  for (let round = 0; round < 5; round++) {
    times.full.push((await measureById(full, posts, round)).p50);
    times.small.push((await measureById(small, SMALL, round)).p50);
  }
  small.close();
  return quantiles(times.full).p50 / quantiles(times.small).p50;
}

async function measureQuestions(client) {
  const found = await measureSearches(client, posts);
  row('search, a rare word, p99', '≤ 10 ms', ms(found.rare.p99), found.rare.p99 <= 10);
  row('search, a word of every post, p99', '≤ 50 ms', ms(found.common.p99), found.common.p99 <= 50);
  row('search, its beginning, p99', '≤ 50 ms', ms(found.prefix.p99), found.prefix.p99 <= 50);
  row('search, a common and a rare word, p99', '≤ 50 ms', ms(found.pair.p99), found.pair.p99 <= 50);
  row('search, words of all frequencies, p99', '≤ 50 ms', ms(found.middling.p99), found.middling.p99 <= 50);
  row('search, a word of no post, p99', '≤ 10 ms', ms(found.none.p99), found.none.p99 <= 10);
  const count = quantiles(await measureCounts(client));
  row('count=exact right after a write, p50', '≤ 5 ms', ms(count.p50), count.p50 <= 5);
}

async function fileBytes() {
  if (storage instanceof PostgresStorage) return storage.size(0);
  return readdirSync(folder)
    .filter((name) => name.startsWith('0.sqlite'))
    .reduce((bytes, name) => bytes + statSync(join(folder, name)).size, 0);
}

try {
  const environment = await storage.prepare(0);
  const emptyStart = await startTime(environment);
  let server = await startOurs(environment);
  await bringIn(server, await writeCorpus(1, SMALL));
  let client = new Client(server.port);
  await measureTransfer(server, client);
  client.close();
  await stop(server);
  if (storage instanceof PostgresStorage) await storage.analyze(environment);
  const fullStart = await startTime(environment);
  row('start, longer than empty', '≤ 1,000 ms', ms(fullStart - emptyStart), fullStart - emptyStart <= 1_000);
  const ratio = (await fileBytes()) / (posts * POST_BYTES);
  row('file ÷ bytes of the posts', '≤ 2.5', ratio.toFixed(2), ratio <= 2.5);
  server = await startOurs(environment);
  client = new Client(server.port);
  const small = await startOurs(await storage.prepare(1));
  await bringIn(small, await writeCorpus(1, SMALL));
  const slower = await compareById(client, new Client(small.port));
  row('one post by id ÷ empty, p50', '≤ 1.2', slower.toFixed(2), slower <= 1.2);
  await stop(small);
  await measureQuestions(client);
  const pages = await measurePages(client, posts);
  for (const page of pages) process.stderr.write(`${page.join(' | ')}\n`);
  const offsets = await measureOffsets(client, [0, 5_000, 10_000]);
  client.close();
  await stop(server);

  console.log(`\n${options.database}, ${posts.toLocaleString('en')} posts of ${POST_BYTES} bytes\n`);
  printTable(['what', 'goal', 'measured', 'met'], rows);
  console.log('\nA page of 20 by cursor, p50 in ms (goal: ratio ≤ 1.3)\n');
  printTable(['ordering', 'front', 'half', 'end', 'ratio'], pages);
  console.log('\nA page of 20 by offset, in ms\n');
  printTable(['offset, ours', 'p50', 'p99'], offsets);
  if (options.peers && environment.DATABASE_FILE) {
    const django = await startDjango(environment);
    children.add(django.child);
    const peer = new Client(django.port);
    const theirs = await measureOffsets(peer, [0, 10_000, Math.floor(posts / 2), posts - 40]);
    console.log();
    printTable(['offset, Django REST framework', 'p50', 'p99'], theirs);
    peer.close();
    await stop(django);
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await storage.remove();
  rmSync(folder, { recursive: true, force: true });
}
