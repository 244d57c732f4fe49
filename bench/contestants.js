/** Starting what is measured, and asking it and the kernel how it does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { START_OPTIONS } from '../scripts/start-options.js';

const here = import.meta.dirname;
/** Below those that Linux gives to connections, one of which may have taken a port just before a server wants it. */
const PORTS = { first: 21_000, last: 21_999 };
const START_TIMEOUT_MS = 30_000;
const pinned = availableParallelism() > 1 && existsSync('/usr/bin/taskset');

const peer = (file) => join(here, 'peers', file);

export const OURS = 'posts-service';
export const ours = {
  name: OURS,
  script: join(here, '../bin/posts-service.cjs'),
  nodeOptions: START_OPTIONS,
  stores: true,
  knowsEntityTags: true,
};
const constants = [
  { name: 'node:http, constants', script: peer('node-http.js'), expect: 200 },
  { name: 'express, constants', script: peer('express-constant.js'), expect: 200 },
];

/** By the database, what is measured on it. */
export const CONTESTANTS = {
  sqlite: [
    ours,
    ...constants,
    { name: 'fastify + better-sqlite3', script: peer('fastify.js'), stores: true },
    { name: 'express + better-sqlite3', script: peer('express.js'), stores: true },
    { name: 'nest + typeorm + sqlite3', script: peer('nest.js'), stores: true },
  ],
  postgres: [ours, ...constants, { name: 'fastify + pg', script: peer('fastify-pg.js'), stores: true }],
};

/** For a server that is to use all of them. */
export const ANY_CORE = -1;

/** Runs a script of Node's; the servers get core 0, what asks them core 1. */
function node(core, args, settings) {
  const command =
    pinned && core !== ANY_CORE ? ['taskset', '-c', String(core), process.execPath] : [process.execPath];
  return spawn(command[0], [...command.slice(1), ...args], settings);
}

/** A port that nobody has at the moment. */
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
 * @param {{ cwd: string, environment: Record<string, string>, nodeOptions?: readonly string[], core?: number }} options
 * @returns once it has given its first answer
 */
export async function start(contestant, { cwd, environment, nodeOptions = [], core = 0 }) {
  const port = await freePort();
  const startedAt = performance.now();
  const child = node(core, [...(contestant.nodeOptions ?? []), ...nodeOptions, contestant.script], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  });
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/posts/?limit=1`);
      break;
    } catch {
      if (child.exitCode !== null) throw new Error(`${contestant.name} ended with ${child.exitCode}`);
      if (performance.now() - startedAt > START_TIMEOUT_MS)
        throw new Error(`${contestant.name} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return { ...contestant, child, port, startMs: performance.now() - startedAt, results: new Map() };
}

/** The process's CPU time in seconds, and its resident memory in MiB, now and at the highest (Linux). */
export function usage({ child }) {
  try {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const mebibytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return {
      cpu: (Number(fields[11]) + Number(fields[12])) / 100,
      memory: mebibytes('VmRSS'),
      highest: mebibytes('VmHWM'),
    };
  } catch {
    return { cpu: Number.NaN, memory: Number.NaN, highest: Number.NaN };
  }
}

/** Forgets how much memory the start took: the highest from now on is that under load (Linux). */
export function forgetHighest({ child }) {
  try {
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  } catch {
    // Elsewhere nothing is known of memory at all.
  }
}

/** Has the server do the task for so long, over so many connections. */
export async function measure(server, task, connections, durationMs) {
  const expect = server.expect ?? (server.knowsEntityTags ? task.expect : (task.peersExpect ?? task.expect));
  const before = usage(server);
  const load = node(1, [join(here, 'load.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
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
