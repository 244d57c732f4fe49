import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../support/command.js';
import { PostsClient } from '../support/posts-client.js';
import { freePort } from '../support/postgres-server.js';
import { START_OPTIONS } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { poll, until } from '../support/until.js';

const PROGRAM = join(import.meta.dirname, '../../bin/posts-service.cjs');
/** Only root may mount a disk that is small enough to fill. */
const IS_ROOT = process.getuid?.() === 0;
const FORMATS = ['json', 'pretty'] as const;
const PAGE_BYTES = 4_096;
/** Above the size of the database, whose files have the same limit. */
const FILE_LIMIT_KIB = 4_096;

function runAsRoot(program: string, parameters: readonly string[]): void {
  if (IS_ROOT) execFileSync(program, parameters);
  else execFileSync('sudo', ['-n', program, ...parameters]);
}

/** @param cwd without a database or a .env */
function runScript(script: string, cwd: string) {
  const env = { PATH: process.env['PATH'] };
  return spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * Runs the service in a session of its own with a terminal as its log, which is read, or stopped as by Ctrl+S. SIGUSR1
 * closes the terminal.
 */
const TERMINAL = `
import os, pty, signal, subprocess, sys, threading
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[2:], stdout=slave, stdin=subprocess.DEVNULL, start_new_session=True)
os.close(slave)
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
signal.signal(signal.SIGUSR1, lambda *_: os.close(master))
def drain():
    try:
        while os.read(master, 65536): pass
    except OSError: pass
if sys.argv[1] == 'read': threading.Thread(target=drain, daemon=True).start()
sys.exit(child.wait())`;

/** The service with its log at a place that fails. */
class ServiceWithLog extends PostsClient {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
  ) {
    super();
    running.push(child);
  }

  /** @param launcher the program and the arguments that start Node with its log there */
  static async start(
    format: string,
    launcher: readonly string[],
    stdout: number | 'ignore',
  ): Promise<ServiceWithLog> {
    const port = await freePort();
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: `sqlite:${join(temporaryFolder(), 'posts.sqlite')}`,
      PORT: String(port),
      LOG_FORMAT: format,
      PASSWORD_HASH_MEMORY: '16',
    };
    const [program, ...args] = [...launcher, process.execPath, ...START_OPTIONS, PROGRAM];
    const child = spawn(program, args, {
      env,
      cwd: temporaryFolder(),
      stdio: ['ignore', stdout, 'inherit'],
    });
    const service = new ServiceWithLog(port, child);
    await until(() =>
      service.get('/health/live').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    return service;
  }

  async droppedLines(): Promise<number> {
    const { text } = await this.get('/metrics');
    return Number(/^posts_log_lines_dropped_total (\d+)$/m.exec(text)![1]);
  }

  untilLinesAreDropped(): Promise<void> {
    return until(async () => {
      await this.get('/posts/');
      return (await this.droppedLines()) > 0;
    });
  }

  /** Sends requests whose lines cannot be written, and checks that all are answered and that lines are counted. */
  async serve(): Promise<void> {
    const before = await this.droppedLines();
    for (let i = 0; i < 200; i += 1) expect((await this.get('/posts/')).status).toBe(200);
    await this.create({ title: 'stored' });
    expect(await this.droppedLines()).toBeGreaterThan(before + 100);
  }

  async stop(): Promise<number | null> {
    const exited = once(this.child, 'exit') as Promise<[number | null]>;
    this.child.kill('SIGTERM');
    return (await exited)[0];
  }
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('a log that cannot be written', () => {
  it.each(FORMATS)('neither stops the start nor ends the service: /dev/full, %s', async (format) => {
    const full = openSync('/dev/full', 'w');
    const service = await ServiceWithLog.start(format, [], full);
    closeSync(full);
    await service.serve();
    expect(await service.stop()).toBe(0);
  });

  it.each(FORMATS)('does not end the service when the terminal is gone, %s', async (format) => {
    const service = await ServiceWithLog.start(format, ['python3', '-c', TERMINAL, 'read'], 'ignore');
    await service.get('/posts/');
    service.child.kill('SIGUSR1');
    await service.untilLinesAreDropped();
    await service.serve();
    expect(await service.stop()).toBe(0);
  });

  it.each(FORMATS)(
    'neither delays requests nor stops the stop when the terminal is stopped, %s',
    async (format) => {
      const service = await ServiceWithLog.start(format, ['python3', '-c', TERMINAL, 'stopped'], 'ignore');
      for (let i = 0; i < 100; i += 1) expect((await service.get('/posts/')).status).toBe(200);
      expect(await service.stop()).toBe(0);
    },
  );

  it.each(FORMATS)('does not end the service at a limit of the file size, %s', async (format) => {
    const path = join(temporaryFolder(), 'log');
    writeFileSync(path, '\n'.repeat(FILE_LIMIT_KIB * 1_024 - PAGE_BYTES));
    const file = openSync(path, 'a');
    const limited = ['bash', '-c', `ulimit -f ${FILE_LIMIT_KIB}; exec "$@"`, 'bash'];
    const service = await ServiceWithLog.start(format, limited, file);
    closeSync(file);
    await service.serve();
    expect(await service.stop()).toBe(0);
  });

  // In CI, the tests fail where neither root nor sudo is available.
  (IS_ROOT || process.env['CI'] !== undefined ? it : it.skip).each(FORMATS)(
    'has whole lines, and says how many are missing, when a full disk has space again: %s',
    async (format) => {
      const disk = temporaryFolder();
      runAsRoot('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      try {
        const [path, fill] = [join(disk, 'log'), join(disk, 'fill')];
        writeFileSync(fill, Buffer.alloc(8 * PAGE_BYTES));
        const file = openSync(path, 'a');
        const service = await ServiceWithLog.start(format, [], file);
        closeSync(file);
        await service.untilLinesAreDropped();
        await service.serve();
        const dropped = await service.droppedLines();
        rmSync(fill);
        const read = (): string => readFileSync(path, 'utf8');
        await until(async () => {
          await service.get('/');
          return read().includes('The log can be written again');
        });
        expect(await service.droppedLines()).toBeGreaterThanOrEqual(dropped);
        expect(await service.stop()).toBe(0);
        await poll(read).toMatch(/The service has stopped\.[^\n]*\n$/);
        const line = format === 'json' ? /^\{.*\}$/ : /^\[\d\d:\d\d:\d\d\.\d{3}\] (?:INFO|WARN): .*$/;
        for (const each of read().trimEnd().split('\n')) expect(each).toMatch(line);
        const [, said] = /"dropped_lines":(\d+)/.exec(read())!;
        // Requests without a free page add some lines after the count was read.
        expect(Number(said)).toBeGreaterThanOrEqual(dropped);
        expect(read()).toContain('ENOSPC');
      } finally {
        runAsRoot('umount', ['-l', disk]);
      }
    },
  );
});

describe('a command whose output cannot be written', () => {
  it.each([['--help'], ['seed', '1']])('says why, and fails: %s %s', async (...args) => {
    const command = [process.execPath, PROGRAM, ...args].map((each) => `'${each}'`).join(' ');
    const folder = temporaryFolder();
    const { status, stderr } = runScript(`${command} > /dev/full`, folder);
    expect([status, stderr]).toEqual([
      1,
      'The output cannot be written: ENOSPC: no space left on device, write.\n',
    ]);
    if (args[0] === 'seed') {
      const again = await runCommand(['seed', '1'], { folder });
      expect(again).toMatchObject({ status: 0, stderr: '' });
    }
  });

  it('ends quietly when the reader has gone', async () => {
    const script = `'${process.execPath}' '${PROGRAM}' --help | true; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = runScript(script, temporaryFolder());
    expect([[0, 141].includes(status!), stderr]).toEqual([true, '']);
  });
});
