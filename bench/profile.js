/**
 * Shows where a server spends its time during one task:
 *
 *     npm run bench -- profile [--task create --connections 64 --server fastify --script main.js] [--database postgres]
 *
 * Prints the share of the busy time that each part of the code and each function took by itself.
 */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTESTANTS, measure, OURS, ours, start } from './contestants.js';
import { PostgresStorage, SqliteStorage } from './storage.js';
import { makeTasks } from './tasks.js';

const SAMPLING_INTERVAL_MICROS = 200;
const WARM_UP_MS = 1_000;
/** The service as separate modules, so that the profile shows their names. */
const MODULES = join(import.meta.dirname, '../dist/src/main.js');

const { values: options } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    task: { type: 'string', default: 'get one' },
    connections: { type: 'string', default: '64' },
    server: { type: 'string', default: OURS },
    // The script of another build of the service, to compare.
    script: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    posts: { type: 'string', default: '100000' },
    top: { type: 'string', default: '25' },
  },
});

/** The clock of V8's samples. */
const microseconds = () => Number(process.hrtime.bigint() / 1000n);

/** Sums the samples between `from` and `to` by the name that `nameOf` gives to the sampled function. */
function shares({ nodes, samples, timeDeltas, startTime }, { from, to }, nameOf) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map();
  let busy = 0;
  let now = startTime;
  samples.forEach((id, index) => {
    now += timeDeltas[index];
    const { callFrame } = byId.get(id);
    if (now < from || now > to || callFrame.functionName === '(idle)') return;
    busy += timeDeltas[index];
    const name = nameOf(callFrame);
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]);
  });
  return [...times]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, time]) => `${((time / busy) * 100).toFixed(1).padStart(5)} %  ${name}`);
}

function partOf({ functionName, url }) {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native code)';
  if (url.startsWith('node:')) return `node:${url.slice('node:'.length).split('/').slice(0, 2).join('/')}`;
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return dependency ?? (/\/(src\/\w+|peers)\//.exec(url)?.[1] || 'other');
}

function functionOf({ functionName, url, lineNumber }) {
  const place =
    url === '' ? '' : ` ${url.replace(/^.*\/(?=node_modules\/|src\/|peers\/)/, '')}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'}${place}`;
}

const folder = mkdtempSync(join(tmpdir(), 'posts-profile-'));
const storage = options.database === 'postgres' ? await PostgresStorage.start() : new SqliteStorage(folder);
let server;
try {
  const found = CONTESTANTS[options.database].find(({ name }) => name.includes(options.server));
  const contestant = { ...found, script: options.script ?? (found === ours ? MODULES : found.script) };
  const task = makeTasks(Number(options.posts)).find(({ name }) => name === options.task);
  const environment = await storage.prepare(0);
  server = await start(contestant, {
    cwd: folder,
    environment,
    nodeOptions: [
      '--cpu-prof',
      `--cpu-prof-interval=${SAMPLING_INTERVAL_MICROS}`,
      `--cpu-prof-dir=${folder}`,
    ],
  });
  if (contestant.stores) await storage.seed(environment, Number(options.posts));
  await measure(server, task, Number(options.connections), WARM_UP_MS);
  const from = microseconds();
  const result = await measure(server, task, Number(options.connections), Number(options.seconds) * 1000);
  const measured = { from, to: microseconds() };
  const exit = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  await exit;
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'));
  if (!file) throw new Error('There is no profile: only a server that ends on SIGTERM writes one.');
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  console.log(
    `${contestant.name}: ${task.name}, ${options.connections} connections: ${Math.round(result.perSecond)} requests/s, ${result.cpuMicros.toFixed(1)} µs of CPU each\n`,
  );
  console.log(shares(profile, measured, partOf).slice(0, 15).join('\n'));
  console.log();
  console.log(shares(profile, measured, functionOf).slice(0, Number(options.top)).join('\n'));
} finally {
  server?.child.kill('SIGKILL');
  await storage.remove();
  rmSync(folder, { recursive: true, force: true });
}
