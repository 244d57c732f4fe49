/** Starts the servers that are measured, sends them load, and reads their CPU time and memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
/** The V8 options of `npm start`. */
const START_OPTIONS = JSON.parse(readFileSync(join(here, '../package.json'), 'utf8')).scripts.start.match(
  /--\S+/g,
);
/** Below Linux's ephemeral ports: a connection could take one of those before the server binds it. */
const PORTS = { first: 21_000, last: 21_999 };
const START_TIMEOUT_MS = 30_000;
const pinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset');

const peer = (file) => join(here, 'peers', file);

export const OURS = 'posts-service';
export const ours = {
  name: OURS,
  script: join(here, '../bin/posts-service.cjs'),
  nodeOptions: START_OPTIONS,
  knowsEntityTags: true,
};

/** The contestants by database. */
export const CONTESTANTS = {
  sqlite: [
    ours,
    { name: 'fastify + better-sqlite3', script: peer('fastify-better-sqlite3.js') },
    { name: 'fastify + sqlite3', script: peer('fastify-sqlite3.js') },
    { name: 'better-sqlite3, same work', script: peer('same-work-better-sqlite3.js') },
  ],
  postgres: [
    ours,
    { name: 'fastify + pg', script: peer('fastify-pg.js') },
    { name: 'pg, same work', script: peer('same-work-pg.js') },
  ],
};

/** For a server that may use all cores. */
export const ANY_CORE = -1;

/** Runs a Node script. The servers run on core 0, the load generator on core 1. */
function node(core, args, settings) {
  const command =
    pinned && core !== ANY_CORE ? ['taskset', '-c', String(core), process.execPath] : [process.execPath];
  return spawn(command[0], [...command.slice(1), ...args], settings);
}

/** A port that is free now. */
export async function freePort() {
  for (let port = PORTS.first; port <= PORTS.last; port++) {
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue;
    }
    probe.close();
    return port;
  }
  throw new Error('No port is free.');
}

/**
 * Starts a server.
 *
 * @param {{ name: string, script: string }} contestant
 * @param {{ cwd: string, environment: Record<string, string>, core?: number }} options
 * @returns after its first response
 */
export async function start(contestant, { cwd, environment, core = 0 }) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = node(core, [...(contestant.nodeOptions ?? []), contestant.script], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment, PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production' },
  });
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/posts/?limit=1`);
      break;
    } catch {
      if (child.exitCode !== null) throw new Error(`${contestant.name} ended with ${child.exitCode}`);
      if (performance.now() - startedAt > START_TIMEOUT_MS)
        throw new Error(`${contestant.name} does not respond`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return { ...contestant, child, port, startMs: performance.now() - startedAt, results: new Map() };
}

/** The CPU time of the process in seconds, and its resident memory in MiB (Linux). */
export function usage({ child }) {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(status);
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory: Number(kibibytes) / 1024 };
  } catch {
    return { cpu: Number.NaN, memory: Number.NaN };
  }
}

/** Sends the task to the server for this long, over this many connections. */
export async function measure(server, task, connections, durationMs) {
  const expect = server.knowsEntityTags ? task.expect : (task.peersExpect ?? task.expect);
  const before = usage(server);
  const load = node(1, [join(here, 'load.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  load.stdin.end(
    JSON.stringify({ port: server.port, requests: task.requests(), connections, durationMs, expect }),
  );
  let text = '';
  for await (const chunk of load.stdout) text += chunk;
  const result = JSON.parse(text);
  if (result.failed > 0)
    throw new Error(`${server.name}: ${task.name}: ${result.failed} responses were not ${expect}`);
  return { ...result, cpuMicros: ((usage(server).cpu - before.cpu) / result.requests) * 1e6 };
}
