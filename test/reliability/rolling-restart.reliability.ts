import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { PostsClient } from '../support/posts-client.js';
import type { PostJson } from '../support/posts.js';
import { freePort, PostgresServer } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const CLIENTS = 8;
const ROUNDS = 2;
/** As the files recommend. */
const SHUTDOWN_DELAY = '5';

const server = await PostgresServer.start();
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => server.remove());

/** The proxy in front of the instances. */
class Proxy extends PostsClient {
  constructor(readonly port: number) {
    super();
  }
}

/** How a proxy runs with its file of deploy/, in which the addresses are replaced. */
interface ProxyProgram {
  readonly program: string;
  readonly file: string;
  readonly prepare: (folder: string, text: string) => Promise<readonly string[]>;
}

const PROXIES: Readonly<Record<string, ProxyProgram>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    file: 'nginx/posts.conf',
    async prepare(folder, text) {
      await writeFile(join(folder, 'posts.conf'), text);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const main = `
daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/posts.conf;
}`;
      await writeFile(join(folder, 'nginx.conf'), main);
      // The workers of a master that is root run as another user.
      await chmod(folder, 0o755);
      return ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
    },
  },
  HAProxy: {
    program: '/usr/sbin/haproxy',
    file: 'haproxy/haproxy.cfg',
    async prepare(folder, text) {
      await writeFile(join(folder, 'haproxy.cfg'), text);
      return ['-db', '-f', join(folder, 'haproxy.cfg')];
    },
  },
};

/** As operations.md says: the next instance stops only when the proxy uses the one that is back. */
async function proxyUses(instance: ServiceProcess): Promise<void> {
  await until(async () => {
    const { text } = await instance.get('/metrics');
    const counts = [...text.matchAll(/^posts_http_requests_total\{.*route="\/posts\/".*\} (\d+)$/gm)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0) > 50;
  });
}

async function startProxy(name: string, ports: readonly number[]): Promise<Proxy> {
  const { program, file, prepare } = PROXIES[name]!;
  if (!existsSync(program)) throw new Error(`${program} is missing: apt-get install nginx-light haproxy`);
  const port = await freePort();
  const text = (await readFile(join(DEPLOY, file), 'utf8'))
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace(/(listen |bind :)8080/, `$1${port}`);
  for (const each of [...ports, port]) expect(text).toContain(String(each));
  running.push(
    spawn(program, await prepare(temporaryFolder(), text), { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const proxy = new Proxy(port);
  await until(() =>
    proxy.get('/').then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
  return proxy;
}

describe('two instances, restarted one after the other under load', () => {
  it.each(Object.keys(PROXIES))('behind %s, fail no request and store no post twice', async (name) => {
    const database = name.toLowerCase();
    await server.query(`CREATE DATABASE ${database}`);
    const start = (port: number): Promise<ServiceProcess> =>
      ServiceProcess.start({
        environment: {
          DATABASE_URL: server.url(database),
          PORT: String(port),
          TRUST_PROXY: '127.0.0.1',
          ALLOWED_HOSTS: 'localhost',
          SHUTDOWN_DELAY,
        },
      });
    const ports = [await freePort(), await freePort()];
    const instances = [await start(ports[0]!), await start(ports[1]!)];
    const proxy = await startProxy(name, ports);
    const stored = new Set<string>();
    const failures: string[] = [];
    let requests = 0;
    const load = new AbortController();
    const work = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = async (
        method: string,
        target: string,
        expected: number,
        json?: object,
      ): Promise<string | undefined> => {
        requests += 1;
        const sent = proxy.request(method, target, { agent, ...(json && { json }) });
        const { status, text } = await sent.catch((error: Error) => ({ status: error.message, text: '' }));
        if (status === expected) return text;
        failures.push(`${method} ${target}: ${status} ${text}`);
        return undefined;
      };
      while (!load.signal.aborted) {
        const title = randomUUID();
        const created = await send('POST', '/posts/', 201, { title, body: 'x' });
        if (created === undefined) continue;
        stored.add(title);
        const { id } = JSON.parse(created) as PostJson;
        await send('PUT', `/posts/${id}/`, 200, { title, body: 'y' });
        await send('GET', `/posts/${id}/`, 200);
        await send('GET', '/posts/?limit=5&ordering=-id', 200);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: CLIENTS }, work);
    for (const instance of instances) await proxyUses(instance);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [i, port] of ports.entries()) {
        expect(await instances[i]!.stop()).toBe(0);
        instances[i] = await start(port);
        await proxyUses(instances[i]);
      }
    }
    load.abort();
    await Promise.all(clients);
    const rows = (await server.query('SELECT title FROM posts', database)) as { title: string }[];
    const titles = rows.map(({ title }) => title);
    expect(failures).toEqual([]);
    expect(titles).toHaveLength(stored.size);
    expect(new Set(titles)).toEqual(stored);
    for (const instance of instances) instance.kill('SIGKILL');
    expect(requests).toBeGreaterThan(500);
  });
});
