import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { START_OPTIONS } from '../../scripts/start-options.js';

const ROOT = join(import.meta.dirname, '../..');
/** Generous, because it only passes when something is broken. */
const OUTPUT_TIMEOUT_MS = 45_000;
/** What a test process is told, but for its database. Every start hashes a password, which is meant to take long. */
const ENVIRONMENT = { PORT: '0', LOG_FORMAT: 'json', PASSWORD_HASH_MEMORY: '16' };

export interface ProcessOptions {
  /** A SQLite file; not needed where `environment` has DATABASE_URL. */
  readonly databasePath?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** What Node runs, from the project's folder on; the service's command by default. */
  readonly script?: string;
}

/** The built service in a process group of its own, as an operator runs it. */
export class ServiceProcess {
  /** All that it wrote, for a failing test to show. */
  stdout = '';
  stderr = '';
  #port: number | undefined;
  /** Once all that it wrote is there, too. */
  readonly #ended: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.#ended = once(child, 'close');
    spawned.push(this);
  }

  /** Spawns it, whether or not it will listen. */
  static spawn({
    databasePath,
    environment = {},
    script = 'bin/posts-service.cjs',
  }: ProcessOptions): ServiceProcess {
    const { PATH } = process.env;
    const child = spawn(process.execPath, [...START_OPTIONS, join(ROOT, script)], {
      // The folder has no .env.
      cwd: join(ROOT, 'test'),
      env: { PATH, DATABASE_URL: `sqlite:${databasePath}`, ...ENVIRONMENT, ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** Spawns it and waits until it listens. */
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

  /** Sends a signal to the whole process group. */
  kill(signal: NodeJS.Signals): void {
    if (this.child.exitCode === null && this.child.signalCode === null) process.kill(-this.pid, signal);
  }

  /** @returns the status of its exit; null when a signal ended it */
  async exited(): Promise<number | null> {
    await this.#ended;
    return this.child.exitCode;
  }

  /**
   * Waits until the standard output has what is looked for.
   *
   * @throws when it has not come in time, or cannot come any more; the service is killed then
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

// Registered for the file that imports this one: what a failed test has left ends with the file.
afterAll(async () => {
  for (const service of spawned) service.kill('SIGKILL');
  await Promise.all(spawned.map((service) => service.exited()));
});
