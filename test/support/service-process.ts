import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE_LIMITS } from './database.js';
import { PostsClient } from './posts-client.js';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
/** The V8 options of `npm start`. */
export const START_OPTIONS = scripts.start.match(/--\S+/g)!;
/** Generous: a test waits this long only when something is broken. */
const OUTPUT_TIMEOUT_MS = 120_000;
/**
 * The environment of each test process, except for its database. PASSWORD_HASH_MEMORY is low because every start hashes
 * a password.
 */
const ENVIRONMENT = { ...DATABASE_LIMITS, PORT: '0', LOG_FORMAT: 'json', PASSWORD_HASH_MEMORY: '16' };

export interface ProcessOptions {
  /** A SQLite file; not needed where `environment` has DATABASE_URL. */
  readonly databasePath?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether `memoryLeft` is used. */
  readonly isMeasured?: boolean;
}

/** V8's heap and Buffers, and all resident memory. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

/** The built service in its own process group, as an operator runs it. */
export class ServiceProcess extends PostsClient {
  /** All output, shown when a test fails. */
  stdout = '';
  stderr = '';
  #port: number | undefined;
  /** Resolves when the process has ended and all of its output was read. */
  readonly #ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    super();
    child.stdout!.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.#ended = once(child, 'close');
    spawned.push(this);
  }

  /** Spawns the process without waiting for it to listen. */
  static spawn(options: ProcessOptions): ServiceProcess {
    const { databasePath, environment = {}, isMeasured = false } = options;
    const script = isMeasured ? 'test/support/measured-service.cjs' : 'bin/posts-service.cjs';
    const { PATH } = process.env;
    const child = spawn(process.execPath, [...START_OPTIONS, join(ROOT, script)], {
      // This folder has no .env file.
      cwd: join(ROOT, 'test'),
      env: { PATH, DATABASE_URL: `sqlite:${databasePath}`, ...ENVIRONMENT, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** A service that cannot start. @returns it after its end with the status 1 */
  static async failure(options: ProcessOptions): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(options);
    expect(await service.exited()).toBe(1);
    return service;
  }

  /** Spawns the process and waits until it listens. */
  static async start(options: ProcessOptions): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(options);
    const [, port] = await service.says(/listens on https?:\/\/[^"]*?:(\d+)/);
    service.#port = Number(port);
    return service;
  }

  get port(): number {
    if (this.#port === undefined) throw new Error('The service does not listen.');
    return this.#port;
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The value of a metric without labels. */
  async metric(name: string): Promise<number> {
    const { text } = await this.get('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
  }

  /** The memory in MiB after a garbage collection. */
  async memoryLeft(): Promise<Memory> {
    // Clear the collected output, so that `says` finds only the new line.
    this.stdout = '';
    this.kill('SIGUSR2');
    const [line] = await this.says(/^\{"heap":.*\n/m);
    return JSON.parse(line) as Memory;
  }

  /** Why the start has failed: the sentence of its last log line, with the faults of the settings. */
  get startFault(): string {
    const line = JSON.parse(this.stdout.trimEnd().split('\n').at(-1)!) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 'fatal', time: expect.any(String), msg: expect.any(String) });
    expect(this.stderr).toBe('');
    const { msg, faults = [] } = line as { msg: string; faults?: string[] };
    return [msg, ...faults].join('\n');
  }

  /** Sends a signal to the whole process group. */
  kill(signal: NodeJS.Signals): void {
    if (this.child.exitCode === null && this.child.signalCode === null) process.kill(-this.pid, signal);
  }

  /** Sends a signal, and waits until the process has ended. @returns the exit status */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.kill(signal);
    return this.exited();
  }

  /** @returns the exit status; null when a signal ended the process */
  async exited(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }

  /**
   * Waits until the standard output matches the pattern.
   *
   * @throws after a timeout, or when the process has ended; kills the service in both cases
   */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + OUTPUT_TIMEOUT_MS;
    while (Date.now() < deadline && this.child.exitCode === null && this.child.signalCode === null) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      await sleep(10);
    }
    this.kill('SIGKILL');
    throw new Error(`The service did not write ${pattern.source}.\n${this.stdout}${this.stderr}`);
  }
}

const spawned: ServiceProcess[] = [];

// Runs for the test file that imports this one: kills processes that a failed test left behind.
afterAll(async () => {
  for (const service of spawned) service.kill('SIGKILL');
  await Promise.all(spawned.map((service) => service.exited()));
});
