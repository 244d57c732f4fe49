import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { aPost } from '../support/posts.js';
import { PostgresServer, queryOnce } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROGRAM = '/usr/sbin/pgbouncer';
/** PgBouncer refuses to run as root, too; this is the user "nobody". */
const NOBODY = 65_534;
const IGNORED = 'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout';

if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: apt-get install pgbouncer`);

const server = await PostgresServer.start();
const folder = temporaryFolder();
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const each of running) each.kill('SIGKILL');
  await server.remove();
});

/** @returns the URL of a new pooler in front of the server */
async function startPooler(database: string, lines: readonly string[]): Promise<string> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  const url = new URL(server.url(database));
  const path = join(folder, `${port}.ini`);
  const password = decodeURIComponent(url.password);
  await writeFile(join(folder, `${port}.txt`), `"posts" "${password}"\n`);
  await writeFile(
    path,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, `${port}.txt`)}`,
      // Fewer than the service's pool, so that its connections share server connections.
      'default_pool_size = 4',
      ...lines,
    ].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const each of [folder, path, join(folder, `${port}.txt`)]) await chown(each, NOBODY, NOBODY);
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  running.push(spawn(PROGRAM, [path], { stdio: 'ignore', ...user }));
  url.port = String(port);
  await until(async () => {
    try {
      await queryOnce(url.href, 'SELECT 1');
      return true;
    } catch {
      return false;
    }
  });
  return url.href;
}

async function makeDatabase(name: string, settings: boolean): Promise<void> {
  await server.query(`CREATE DATABASE ${name}`);
  if (!settings) return;
  // The settings that docs/operations.md recommends.
  for (const setting of [
    "synchronous_commit = 'on'",
    "statement_timeout = '10s'",
    "idle_in_transaction_session_timeout = '60s'",
  ])
    await server.query(`ALTER ROLE posts IN DATABASE ${name} SET ${setting}`);
}

describe('PgBouncer, as Debian has it', () => {
  it.each(['transaction', 'session'])('answers every request in %s mode', async (mode) => {
    const name = `pooled_${mode}`;
    await makeDatabase(name, true);
    const url = await startPooler(name, [`pool_mode = ${mode}`, IGNORED]);
    // In session mode, each connection of the service needs its own server connection.
    const environment = { DATABASE_URL: url, DATABASE_POOL_SIZE: mode === 'session' ? '3' : '10' };
    const service = await ServiceProcess.start({ environment });
    try {
      const requests = Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? service.send('POST', '/posts/', { json: aPost() })
          : service.send('GET', `/posts/?limit=${1 + (index % 7)}&search=a`),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      const counts = Object.fromEntries(
        [200, 201].map((each) => [each, statuses.filter((s) => s === each).length]),
      );
      expect(counts).toEqual({ 200: 100, 201: 100 });
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  it.each<[string, readonly string[], boolean, RegExp]>([
    [
      'rejects the startup parameters',
      ['pool_mode = transaction'],
      true,
      /^The database cannot be opened: unsupported startup parameter: \w+\. In pgbouncer\.ini, set ignore_startup_parameters = .*\.\n$/,
    ],
    [
      'does not pass on statement_timeout',
      ['pool_mode = transaction', IGNORED],
      false,
      /^A pooler, such as PgBouncer, does not pass .*statement_timeout.* on to PostgreSQL\. .* ALTER ROLE posts IN DATABASE .*\n$/,
    ],
    [
      'pools statements',
      ['pool_mode = statement', IGNORED],
      true,
      /^The database cannot be opened: .*transaction blocks not allowed in statement pooling mode.*\n$/,
    ],
  ])('stops the start with a clear error when it %s', async (what, lines, settings, sentence) => {
    const name = `misconfigured_${what.length}`;
    await makeDatabase(name, settings);
    const url = await startPooler(name, lines);
    const { stderr } = await ServiceProcess.failure({ environment: { DATABASE_URL: url } });
    expect(stderr).toMatch(sentence);
  });
});
