/**
 * Measures the service beside its peers, in one run: `npm run bench [-- --rounds 3 --seconds 3 --only get,create]`.
 *
 * Every server gets core 0 and the load core 1. The rounds are interleaved and medians shown, so that what else happens
 * on the machine hits all alike; compare ratios, not numbers of different runs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '100000' },
    only: { type: 'string' },
    servers: { type: 'string' },
  },
});
const ROUNDS = Number(options.rounds);
const DURATION_MS = Number(options.seconds) * 1000;
const POSTS = Number(options.posts);
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'posts-bench-'));
const pinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset');

const SERVERS = [
  { name: 'posts-service', script: join(here, '../dist/src/main.js') },
  { name: 'node:http', script: join(here, 'peers/node-http.js') },
  { name: 'fastify + better-sqlite3', script: join(here, 'peers/fastify.js') },
  { name: 'express + better-sqlite3', script: join(here, 'peers/express.js') },
].filter(({ name }) => !options.servers || options.servers.split(',').some((part) => name.includes(part)));

const OURS = 'posts-service';

/** @param {string} method @param {string} path */
function request(method, path, headers = {}, body = '') {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Type': 'application/json' }) };
  if (body) all['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

const someIds = Array.from({ length: 1000 }, (_, i) => 1 + ((i * 7919) % (POSTS / 2)));
const newBody = JSON.stringify({ title: 'A new post', body: 'lorem ipsum dolor sit amet '.repeat(11) });
// Of the other half, so that the entity tags of those above keep holding.
const replacements = someIds.map((_, i) =>
  request(
    'PUT',
    `/posts/${POSTS - i}/`,
    {},
    JSON.stringify({ title: `Replaced ${i}`, body: newBody + Math.random() }),
  ),
);

const TASKS = [
  { name: 'get one', expect: 200, requests: () => someIds.map((id) => request('GET', `/posts/${id}/`)) },
  {
    name: '304',
    expect: 304,
    // Only ours knows conditional requests; the peers' 200 is what it is compared with.
    requests: () => someIds.map((id) => request('GET', `/posts/${id}/`, { 'If-None-Match': `"${id}-1"` })),
    peersExpect: 200,
  },
  { name: 'list of 20', expect: 200, requests: () => [request('GET', '/posts/?limit=20')] },
  { name: 'create', expect: 201, requests: () => [request('POST', '/posts/', {}, newBody)], writes: true },
  { name: 'replace', expect: 200, requests: () => replacements, writes: true },
].filter(({ name }) => !options.only || options.only.split(',').some((part) => name.includes(part)));

function node(core, script, args, settings = {}) {
  const command = pinned ? 'taskset' : process.execPath;
  const prefix = pinned ? ['-c', String(core), process.execPath] : [];
  return spawn(command, [...prefix, script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...settings,
  });
}

async function start(server, index) {
  const port = 56_000 + index;
  const file = join(folder, `${index}.sqlite`);
  const startedAt = performance.now();
  const child = node(0, server.script, [], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_FILE: file,
      DATABASE_URL: `sqlite:${file}`,
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  });
  child.stdout.resume();
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/posts/?limit=1`);
      break;
    } catch {
      if (child.exitCode !== null) throw new Error(`${server.name} ended with ${child.exitCode}`);
      if (performance.now() - startedAt > 30_000) throw new Error(`${server.name} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return { ...server, child, port, file, startMs: performance.now() - startedAt, results: new Map() };
}

/** The process's CPU time in seconds, and the highest resident memory in MiB (Linux). */
function usage({ child }) {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const highest = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory: Number(highest) / 1024 };
  } catch {
    return { cpu: Number.NaN, memory: Number.NaN };
  }
}

async function measure(server, task, connections, durationMs = DURATION_MS) {
  const before = usage(server);
  const expect =
    server.name === OURS
      ? task.expect
      : server.name === 'node:http'
        ? 200
        : (task.peersExpect ?? task.expect);
  const load = node(1, join(here, 'load.js'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  load.stdin.end(
    JSON.stringify({ port: server.port, requests: task.requests(), connections, durationMs, expect }),
  );
  let text = '';
  for await (const chunk of load.stdout) text += chunk;
  const result = JSON.parse(text);
  if (result.failed > 0)
    throw new Error(`${server.name}: ${task.name}: ${result.failed} answers were not ${expect}`);
  return { ...result, cpuMicros: ((usage(server).cpu - before.cpu) / result.requests) * 1e6 };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

function report(servers) {
  const ours = servers.find(({ name }) => name === OURS);
  for (const task of TASKS) {
    for (const connections of [1, 64]) {
      const key = `${task.name} × ${connections}`;
      console.log(`\n${task.name}, ${connections} connection${connections > 1 ? 's' : ''}`);
      console.table(
        Object.fromEntries(
          servers.map(({ name, results }) => {
            const rounds = results.get(key);
            const perSecond = median(rounds.map((round) => round.perSecond));
            const own = ours && median(ours.results.get(key).map((round) => round.perSecond));
            return [
              name,
              {
                'requests/s': Math.round(perSecond),
                'p50 ms': Number(median(rounds.map((round) => round.p50)).toFixed(2)),
                'p99 ms': Number(median(rounds.map((round) => round.p99)).toFixed(2)),
                'CPU µs/request': Number(median(rounds.map((round) => round.cpuMicros)).toFixed(1)),
                'ours ÷ it': own ? Number((own / perSecond).toFixed(2)) : undefined,
              },
            ];
          }),
        ),
      );
    }
  }
  console.log('\nStart to first answer (empty database) and highest resident memory');
  console.table(
    Object.fromEntries(
      servers.map((server) => [
        server.name,
        { 'start ms': Math.round(server.startMs), 'memory MiB': Math.round(server.memory) },
      ]),
    ),
  );
}

const servers = [];
try {
  for (const [index, server] of SERVERS.entries()) servers.push(await start(server, index));
  for (const server of servers) {
    if (server.name !== 'node:http')
      spawnSync(process.execPath, [join(here, 'seed.js'), server.file, String(POSTS)]);
  }
  for (const task of TASKS) for (const server of servers) await measure(server, task, 16, 1000);
  for (let round = 0; round < ROUNDS; round++) {
    for (const task of TASKS) {
      for (const connections of [1, 64]) {
        for (const server of servers) {
          const key = `${task.name} × ${connections}`;
          if (!server.results.has(key)) server.results.set(key, []);
          server.results.get(key).push(await measure(server, task, connections));
        }
      }
    }
    process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`);
  }
  for (const server of servers) server.memory = usage(server).memory;
  report(servers);
} finally {
  for (const { child } of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
