/**
 * Compares the service with its peers in one run:
 *
 *     npm run bench [-- --database postgres --rounds 3 --seconds 3 --posts 100000 --only get,create --servers fastify
 *         --also ../before/bin/posts-service.cjs --processes 4]
 *
 * Interleaves the rounds and shows medians, so that other load on the machine affects all servers. Compare ratios, not
 * numbers of different runs. Two processes of the same build may differ by a tenth for as long as they run, so a smaller
 * difference between two builds needs several processes of each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTESTANTS, measure, OURS, start, usage } from './contestants.js';
import { printTable } from './markdown.js';
import { PostgresStorage, SqliteStorage } from './storage.js';
import { makeTasks } from './tasks.js';

const CONNECTIONS = [1, 64];
const WARM_UP_MS = 3_000;

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    posts: { type: 'string', default: '100000' },
    only: { type: 'string' },
    servers: { type: 'string' },
    // The script of another build of the service, to measure beside this one.
    also: { type: 'string' },
    // How many processes of each server are measured, in turns.
    processes: { type: 'string', default: '1' },
  },
});
const rounds = Number(options.rounds);
const durationMs = Number(options.seconds) * 1000;
const posts = Number(options.posts);
const processesOfEach = Number(options.processes);
const tasks = makeTasks(posts).filter(named(options.only));
const isChosen = named(options.servers);
const contestants = CONTESTANTS[options.database].filter((each) => each.name === OURS || isChosen(each));
if (options.also)
  contestants.splice(1, 0, { ...contestants[0], name: 'the other build', script: resolve(options.also) });

/** Whether a name contains one of the comma-separated parts. Without parts, every name matches. */
function named(parts) {
  return ({ name }) => !parts || parts.split(',').some((part) => name.includes(part));
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The medians of the rounds, with the spread of the throughput. */
function summary(results) {
  const of = (name) => median(results.map((result) => result[name]));
  const speeds = results.map(({ perSecond }) => perSecond);
  return {
    perSecond: of('perSecond'),
    spread: (Math.max(...speeds) - Math.min(...speeds)) / 2 / of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicros: of('cpuMicros'),
  };
}

/** What the run has to say besides its tables: of each server that has acknowledged other posts than it has stored. */
const losses = new Map();

/** Measures a task, and counts what it has stored: a server that keeps nothing is fast. */
async function measureAndCount(server, task, connections, milliseconds) {
  const before = task.creates ? await storage.count(server.environment) : 0;
  const result = await measure(server, task, connections, milliseconds);
  if (task.creates) {
    const stored = (await storage.count(server.environment)) - before;
    if (stored !== result.requests) {
      const loss = losses.get(server.name) ?? { acknowledged: 0, stored: 0 };
      loss.acknowledged += result.requests;
      loss.stored += stored;
      losses.set(server.name, loss);
    }
  }
  return result;
}

/** Each second round goes the other way: what runs after a heavy server has no advantage in all of them. */
function inOrderOf(round) {
  return round % 2 === 1 ? processes : processes.toReversed();
}

/** Starts a process of the contestant, with a database of its own. */
async function startProcess(contestant) {
  const environment = await storage.prepare(processes.length);
  const started = await start(contestant, { cwd: folder, environment });
  started.environment = environment;
  processes.push(started);
  started.atRest = usage(started);
  await storage.seed(environment, posts);
  return started;
}

/** What the processes of a contestant have measured, by task, as that of one server. */
function asServer(name, ofContestant) {
  const medianOf = (valueOf) => median(ofContestant.map(valueOf));
  const results = new Map();
  for (const each of ofContestant)
    for (const [key, measured] of each.results) results.set(key, [...(results.get(key) ?? []), ...measured]);
  return {
    name,
    results,
    startMs: medianOf(({ startMs }) => startMs),
    memoryAtRest: medianOf(({ atRest }) => atRest.memory),
    memoryAfterLoad: medianOf((each) => usage(each).memory),
  };
}

/** A table of docs/develop/performance.md: of each task and server, a value with few connections and with many. */
function printByTask(title, servers, valueOf) {
  const rows = tasks.map(({ name }) => [
    name,
    ...servers.map((server) =>
      CONNECTIONS.map((connections) => valueOf(server, `${name} × ${connections}`)).join(' · '),
    ),
  ]);
  console.log(`\n${title}, with ${CONNECTIONS.join(' · ')} connections\n`);
  printTable(['task', ...servers.map(({ name }) => name)], rows);
}

const medians = ({ results }, key) => summary(results.get(key));

/** All tables of docs/develop/performance.md. */
function printComparisons(servers) {
  const [own, ...others] = servers;
  printByTask('Requests a second, ours ÷ theirs', others, (server, key) =>
    (medians(own, key).perSecond / medians(server, key).perSecond).toFixed(2),
  );
  printByTask('CPU µs a request', servers, (server, key) => medians(server, key).cpuMicros.toFixed(0));
  printByTask('99th percentile in ms', servers, (server, key) => medians(server, key).p99.toFixed(1));
}

function report(servers) {
  const [own] = servers;
  for (const task of tasks) {
    for (const connections of CONNECTIONS) {
      const key = `${task.name} × ${connections}`;
      const ownSpeed = summary(own.results.get(key)).perSecond;
      console.log(`\n${task.name}, ${connections} connection${connections > 1 ? 's' : ''}\n`);
      printTable(
        ['server', 'requests/s', '±', 'p50 ms', 'p99 ms', 'CPU µs/request', 'ours ÷ it'],
        servers.map(({ name, results }) => {
          const { perSecond, spread, p50, p99, cpuMicros } = summary(results.get(key));
          return [
            name,
            Math.round(perSecond).toLocaleString('en'),
            `${Math.round(spread * 100)} %`,
            p50.toFixed(2),
            p99.toFixed(2),
            cpuMicros.toFixed(1),
            (ownSpeed / perSecond).toFixed(2),
          ];
        }),
      );
    }
  }
  if (servers.length > 1) printComparisons(servers);
  for (const [name, { acknowledged, stored }] of losses)
    console.log(
      `\n**${name} has stored ${stored} of ${acknowledged} acknowledged posts: its writes compare with nothing.**`,
    );
  console.log('\nStart to first response on an empty database, and resident memory\n');
  printTable(
    ['server', 'start ms', 'memory at rest MiB', 'after the load MiB'],
    servers.map(({ name, startMs, memoryAtRest, memoryAfterLoad }) =>
      [name, startMs, memoryAtRest, memoryAfterLoad].map((value) =>
        typeof value === 'number' ? Math.round(value) : value,
      ),
    ),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'posts-bench-'));
const storage = options.database === 'postgres' ? await PostgresStorage.start() : new SqliteStorage(folder);
const processes = [];
// Stops the servers when the benchmark is interrupted.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const { child } of processes) child.kill('SIGKILL');
    process.exit(1);
  });
}
try {
  const byName = new Map(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= processesOfEach; round++) {
    for (const contestant of contestants) byName.get(contestant.name).push(await startProcess(contestant));
  }
  // A batch and a lone request run different code, which V8 optimises after some thousand requests.
  for (const task of tasks) {
    for (const connections of CONNECTIONS) {
      for (const server of processes) await measureAndCount(server, task, connections, WARM_UP_MS);
    }
  }
  for (let round = 1; round <= rounds; round++) {
    for (const task of tasks) {
      for (const connections of CONNECTIONS) {
        for (const server of inOrderOf(round)) {
          const key = `${task.name} × ${connections}`;
          if (!server.results.has(key)) server.results.set(key, []);
          server.results.get(key).push(await measureAndCount(server, task, connections, durationMs));
        }
      }
    }
    process.stderr.write(`round ${round} of ${rounds}, load average ${loadavg()[0].toFixed(1)}\n`);
  }
  report([...byName].map(([name, ofContestant]) => asServer(name, ofContestant)));
} finally {
  for (const { child } of processes) child.kill('SIGKILL');
  await storage.remove();
  rmSync(folder, { recursive: true, force: true });
}
