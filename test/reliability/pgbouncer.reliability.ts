import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPost } from '../support/posts.js';
import { freePort, giveToNobody, PostgresServer, queryOnce, USER } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PROGRAM = '/usr/sbin/pgbouncer';
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
  const port = await freePort();
  const url = new URL(server.url(database));
  const [path, passwords] = [join(folder, `${port}.ini`), join(folder, `${port}.txt`)];
  await writeFile(passwords, `"posts" "${decodeURIComponent(url.password)}"\n`);
  // The pool is smaller than the service's, so that its connections share server connections.
  const ini = `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${passwords}
default_pool_size = 4
${lines.join('\n')}
`;
  await writeFile(path, ini);
  await giveToNobody(folder);
  running.push(spawn(PROGRAM, [path], { stdio: 'ignore', ...USER }));
  url.port = String(port);
  await until(() =>
    queryOnce(url.href, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  );
  return url.href;
}

/** The settings that docs/operate/operations.md recommends. */
const SETTINGS = [
  "synchronous_commit = 'on'",
  "statement_timeout = '10s'",
  "idle_in_transaction_session_timeout = '60s'",
];

async function makeDatabase(name: string, settings = SETTINGS): Promise<void> {
  await server.query(`CREATE DATABASE ${name}`);
  for (const setting of settings) await server.query(`ALTER ROLE posts IN DATABASE ${name} SET ${setting}`);
}

describe('PgBouncer, as Debian has it', () => {
  it.each(['transaction', 'session'])('answers every request in %s mode', async (mode) => {
    const name = `pooled_${mode}`;
    await makeDatabase(name);
    const url = await startPooler(name, [`pool_mode = ${mode}`, IGNORED]);
    // In session mode, each connection of the service needs its own server connection.
    const environment = { DATABASE_URL: url, DATABASE_POOL_SIZE: mode === 'session' ? '3' : '10' };
    const service = await ServiceProcess.start({ environment });
    try {
      const requests = Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? service.post(aPost()) : service.get(`/posts/?limit=${1 + (index % 7)}&search=a`),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 201 : 200)));
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  it.each<[string, string, string, string[], RegExp]>([
    ['rejects the startup parameters', 'transaction', '', SETTINGS, / set ignore_startup_parameters/],
    ['has no statement_timeout', 'transaction', IGNORED, [], /^A pooler, .* ALTER ROLE posts IN DATA/],
    ['pools statements', 'statement', IGNORED, SETTINGS, / not allowed in statement pooling mode/],
  ])('stops the start with a clear error when it %s', async (what, mode, ignored, settings, sentence) => {
    const name = `misconfigured_${what.length}`;
    await makeDatabase(name, settings);
    const url = await startPooler(name, [`pool_mode = ${mode}`, ignored]);
    const { startFault } = await ServiceProcess.failure({ environment: { DATABASE_URL: url } });
    expect(startFault).toMatch(sentence);
  });
});
