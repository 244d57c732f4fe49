import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, openSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort, giveToNobody, queryOnce, USER } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const DEPLOY = join(import.meta.dirname, '../../deploy/patroni');
const POSTGRES = '/usr/lib/postgresql';
const NODES = ['db-1', 'db-2'] as const;
const CLIENTS = 8;
/** The longest time without a leader that scaling.md promises after a crash, with some time for a slow machine. */
const MAX_OUTAGE_MS = 60_000;

for (const program of ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/haproxy'])
  if (!existsSync(program))
    throw new Error(`${program} is missing: apt-get install etcd-server patroni haproxy`);

/** A server with its Patroni. */
interface Node {
  readonly folder: string;
  readonly patroni: ChildProcess;
  readonly port: number;
  readonly restPort: number;
}

const folder = temporaryFolder();
const LOG = openSync(join(folder, 'log'), 'a');
const running: ChildProcess[] = [];
const nodes = new Map<string, Node>();
const services: ServiceProcess[] = [];

function run(program: string, args: readonly string[], options: object = {}): ChildProcess {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', LOG, LOG], ...options });
  running.push(child);
  return child;
}

/** Kills Patroni and all processes of its server, as a crash of their machine would. */
function crash({ patroni, folder: own }: Node): void {
  patroni.kill('SIGKILL');
  spawnSync('pkill', ['--signal', 'KILL', '--full', own]);
}

afterAll(async () => {
  for (const service of services) await service.stop('SIGKILL');
  for (const node of nodes.values()) crash(node);
  for (const child of running) child.kill('SIGKILL');
});

async function startEtcd(): Promise<number> {
  const [client, peer] = [await freePort(), await freePort()];
  const urls = (port: number): string => `http://127.0.0.1:${port}`;
  const args = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': urls(client),
    'advertise-client-urls': urls(client),
    'listen-peer-urls': urls(peer),
    'initial-advertise-peer-urls': urls(peer),
    'initial-cluster': `default=${urls(peer)}`,
  };
  run(
    '/usr/bin/etcd',
    Object.entries(args).map(([name, value]) => `--${name}=${value}`),
  );
  return client;
}

async function startNode(name: string, etcd: number): Promise<Node> {
  const own = join(folder, name);
  await mkdir(own);
  const [port, restPort] = [await freePort(), await freePort()];
  const [version] = readdirSync(POSTGRES).toSorted((a, b) => Number(b) - Number(a));
  const replacements = {
    'name: db-1': `name: ${name}`,
    '0.0.0.0:8008': `127.0.0.1:${restPort}`,
    'db-1:8008': `127.0.0.1:${restPort}`,
    '0.0.0.0:5432': `127.0.0.1:${port}`,
    'db-1:5432': `127.0.0.1:${port}`,
    'etcd:2379': `127.0.0.1:${etcd}`,
    '/etc/patroni/create-database.sh': join(folder, 'create-database.sh'),
    '/var/lib/postgresql/data': join(own, 'data'),
    '/usr/lib/postgresql/15/bin': join(POSTGRES, version!, 'bin'),
  };
  let text = await readFile(join(DEPLOY, 'node.yml'), 'utf8');
  for (const [before, after] of Object.entries(replacements)) {
    expect(text).toContain(before);
    text = text.replaceAll(before, after);
  }
  // Debian's server would make its socket in a folder of the user postgres.
  text = text.replace('  data_dir:', `  parameters:\n    unix_socket_directories: ${own}\n  data_dir:`);
  await writeFile(join(own, 'config.yml'), text);
  await giveToNobody(own);
  const patroni = run('/usr/bin/patroni', [join(own, 'config.yml')], {
    cwd: own,
    env: { PATH: process.env['PATH'], HOME: own },
    ...USER,
  });
  const node = { folder: own, patroni, port, restPort };
  nodes.set(name, node);
  return node;
}

async function startProxy(): Promise<number> {
  const port = await freePort();
  let text = (await readFile(join(DEPLOY, 'haproxy.cfg'), 'utf8')).replace(
    'bind :5000',
    `bind 127.0.0.1:${port}`,
  );
  for (const name of NODES) {
    const node = nodes.get(name)!;
    text = text.replace(
      `${name}:5432 check port 8008`,
      `127.0.0.1:${node.port} check addr 127.0.0.1 port ${node.restPort}`,
    );
  }
  await writeFile(join(folder, 'haproxy.cfg'), text);
  run('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
  return port;
}

/** Asks Patroni's REST API. @returns the status; undefined without a response */
async function ask(node: Node, method: string, path: string, json?: object): Promise<number | undefined> {
  const asked = request({
    port: node.restPort,
    method,
    path,
    headers: { 'Content-Type': 'application/json' },
  });
  asked.end(json && JSON.stringify(json));
  const [response] = (await once(asked, 'response').catch(() => [])) as [
    { statusCode?: number; resume(): void }?,
  ];
  response?.resume();
  return response?.statusCode;
}

const is = (role: 'primary' | 'synchronous', node: Node): Promise<boolean> =>
  ask(node, 'GET', `/${role}`).then((status) => status === 200);

async function leader(): Promise<string | undefined> {
  for (const name of NODES) if (await is('primary', nodes.get(name)!)) return name;
  return undefined;
}

/** Stores posts until the signal, and notes what became of each. */
class Load {
  readonly acknowledged = new Set<string>();
  readonly refused = new Set<string>();
  readonly unknown = new Set<string>();
  /** The longest time between two acknowledged writes, in milliseconds. */
  longestGap = 0;
  #lastAt = performance.now();

  async run(service: ServiceProcess, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const title = randomUUID();
      const { status, text } = await service.post({ title, body: 'x' });
      if (status === 201) this.#acknowledge(title);
      else if (text.includes('outcome-unknown')) this.unknown.add(title);
      else this.refused.add(title);
    }
  }

  #acknowledge(title: string): void {
    this.acknowledged.add(title);
    const now = performance.now();
    this.longestGap = Math.max(this.longestGap, now - this.#lastAt);
    this.#lastAt = now;
  }

  /** @returns the longest gap since the last call */
  takeLongestGap(): number {
    const gap = this.longestGap;
    this.longestGap = 0;
    return gap;
  }

  /** Waits until writes are acknowledged again. */
  async goesOn(): Promise<void> {
    const before = this.acknowledged.size;
    await until(() => this.acknowledged.size > before + 50);
  }
}

describe('two instances on PostgreSQL under Patroni', () => {
  it('lose no acknowledged write at a switchover, and when the leader and its Patroni are killed', async () => {
    await writeFile(
      join(folder, 'create-database.sh'),
      await readFile(join(DEPLOY, 'create-database.sh'), 'utf8'),
      { mode: 0o755 },
    );
    await chmod(folder, 0o755);
    const etcd = await startEtcd();
    const first = await startNode('db-1', etcd);
    await until(() => is('primary', first));
    const second = await startNode('db-2', etcd);
    await until(() => is('synchronous', second));
    const proxy = await startProxy();
    const environment = { DATABASE_URL: `postgres://posts:change-me-3@127.0.0.1:${proxy}/posts` };
    for (let i = 0; i < 2; i += 1) services.push(await ServiceProcess.start({ environment }));

    const load = new Load();
    const ends = new AbortController();
    const clients = Array.from({ length: CLIENTS }, (_, i) => load.run(services[i % 2]!, ends.signal));
    await load.goesOn();
    load.takeLongestGap();

    expect(await ask(first, 'POST', '/switchover', { leader: 'db-1', candidate: 'db-2' })).toBe(200);
    await until(async () => (await leader()) === 'db-2');
    await load.goesOn();
    const switchoverMs = load.takeLongestGap();
    await until(() => is('synchronous', first));

    crash(second);
    await until(async () => (await leader()) === 'db-1');
    await load.goesOn();
    const crashMs = load.takeLongestGap();
    ends.abort();
    await Promise.all(clients);

    const url = `postgres://posts:change-me-3@127.0.0.1:${first.port}/posts`;
    const rows = (await queryOnce(url, 'SELECT title FROM posts')) as { title: string }[];
    const stored = rows.map(({ title }) => title);
    expect(new Set(stored).size).toBe(stored.length);
    expect([...load.acknowledged].filter((title) => !stored.includes(title))).toEqual([]);
    expect(stored.filter((title) => load.refused.has(title))).toEqual([]);
    process.stderr.write(
      `Patroni: ${load.acknowledged.size} acknowledged, ${load.refused.size} refused, ${load.unknown.size} unknown; ` +
        `without a write ${(switchoverMs / 1_000).toFixed(1)} s at the switchover, ${(crashMs / 1_000).toFixed(1)} s after the crash\n`,
    );
    expect(Math.max(switchoverMs, crashMs)).toBeLessThan(MAX_OUTAGE_MS);
  });
});
