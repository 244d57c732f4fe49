import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { type CommandRun, type Outcome, runCommand } from '../support/command.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/posts-service.cjs');
const { version, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  engines: { node: string };
};

const WHOLE_NUMBER = 'It must be a number from 1 to 999999999.';

const folder = temporaryFolder();

function run(args: readonly string[], options: Partial<CommandRun> = {}): Promise<Outcome> {
  return runCommand(args, { folder, ...options });
}

describe('posts-service', () => {
  it.each([
    ['--prot', "error: unknown option '--prot'\n(Did you mean --port?)"],
    ['rendex', 'error: there is no command rendex'],
    ['reindex all', "error: too many arguments for 'reindex'. Expected 0 arguments but got 1."],
    ['--port 4000 seed 3', 'error: the command seed has no option --port'],
    ['restore posts.backup --host ::1', 'error: the command restore has no option --host'],
    [
      '-d a.sqlite move --from sqlite:b --to postgres://c/d',
      'error: the command move has no option --database',
    ],
    ['seed 0', `error: command-argument value '0' is invalid for argument 'count'. ${WHOLE_NUMBER}`],
  ])('refuses the command line %j', async (line, message) => {
    const stderr = `${message}\n\`posts-service help\` explains all commands.\n`;
    expect(await run(line.split(' '))).toEqual({ status: 2, stdout: '', stderr });
  });

  it.each([
    ['option', '-p, --port <port>', ['--port', '']],
    ['option', '--host <host>', ['--host=']],
    ['option', '-d, --database <database>', ['--database', '', 'seed', '1']],
    ['option', '--from <database>', ['move', '--from', '', '--to', 'postgres://h/d']],
    ['command-argument', 'place', ['backup', '', '--keep', '2']],
    ['command-argument', 'file', ['restore', '']],
  ])('refuses an empty %s %s, and does not take the default', async (_kind, name, args) => {
    const place = temporaryFolder();
    const { status, stderr } = await run(args, { folder: place });
    expect(status).toBe(2);
    expect(stderr).toContain(name);
    expect(stderr).toContain('It must not be empty.');
    expect(readdirSync(place)).toEqual([]);
  });

  it.each([
    ['-d=posts.sqlite', 'seed', '1'],
    ['-d', '--help'],
  ])('refuses %s %s, which would make a file of that name', async (...args) => {
    const place = temporaryFolder();
    const { status, stderr } = await run(args, { folder: place });
    expect([status, stderr]).toEqual([2, expect.stringContaining('Write -d FILE or --database=FILE.')]);
    expect(readdirSync(place)).toEqual([]);
  });

  it('knows the scheme of a URL in any case', async () => {
    const place = temporaryFolder();
    const { status } = await run(['-d', 'Postgres://u:p@127.0.0.1:1/d', 'seed', '1'], { folder: place });
    expect([status, readdirSync(place)]).toEqual([1, []]);
    expect(await run(['-d', 'SQLite:x.sqlite', 'seed', '1'], { folder: place })).toMatchObject({ status: 0 });
    expect(readdirSync(place)).toContain('x.sqlite');
  });

  it.each(['options.sqlite', 'sqlite:options.sqlite'])('starts with options, on %s', async (database) => {
    const args = [PROGRAM, '--port', '0', '--host=::1', '-d', database];
    const env = { DATABASE_URL: 'postgres://nowhere.test/none', PORT: '1' };
    const child = spawn(process.execPath, args, { cwd: folder, env });
    let log = '';
    for await (const chunk of child.stdout) {
      log += String(chunk);
      if (log.includes('listens on')) child.kill('SIGTERM');
    }
    expect(log).toMatch(/listens on http:\/\/\[::1\]:\d+\//);
    expect(existsSync(join(folder, 'options.sqlite'))).toBe(true);
  });

  it('runs commands on the database of --database, before or behind their names, and on no other', async () => {
    const place = temporaryFolder();
    const runThere = (line: string, stdin?: string): Promise<Outcome> =>
      run(line.split(' '), { folder: place, stdin, environment: { DATABASE_URL: 'sqlite:other.sqlite' } });
    const outcomes = [
      await runThere('-d mine.sqlite seed 3'),
      await runThere('seed 2 --database sqlite:mine.sqlite'),
      await runThere('-d mine.sqlite account add somebody', 'correct horse battery'),
      await runThere('-d mine.sqlite account password somebody', 'battery horse correct'),
      await runThere('-d mine.sqlite reindex'),
      await runThere('-d mine.sqlite migrate'),
      await runThere('-d mine.sqlite migrate --dry-run'),
      await runThere('-d mine.sqlite backup copy.sqlite'),
      await runThere('-d restored.sqlite restore copy.sqlite'),
    ];
    expect(outcomes.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      outcomes.map(() => ({ status: 0, stderr: '' })),
    );
    expect(outcomes.at(-1)!.stdout).toContain('Posts: 5.');
    expect(readdirSync(place).filter((name) => /^(?:data|other)/.test(name))).toEqual([]);
  });

  it('seeds an empty database, whose search index is complete then', async () => {
    expect((await run(['seed', '3'])).stdout).toBe('3 sample posts were stored.\n');
    const service = await ServiceProcess.start({ databasePath: join(folder, 'data/posts.sqlite') });
    expect(service.stdout).not.toContain('search index');
    expect([await service.count(), await service.stop()]).toEqual([3, 0]);
  });

  // Only root may give a file to another user.
  (process.getuid?.() === 0 ? it : it.skip)(
    'gives a new database that root makes to the owner of its folder, as whom the service runs',
    async () => {
      const [data, owner] = [join(temporaryFolder(), 'data'), 61_111];
      mkdirSync(data);
      chownSync(data, owner, owner);
      const environment = { DATABASE_URL: `sqlite:${join(data, 'posts.sqlite')}` };
      expect(await run(['seed', '3'], { environment })).toMatchObject({ status: 0 });
      const names = readdirSync(data);
      expect(names).toContain('posts.sqlite');
      expect(new Set(names.map((name) => statSync(join(data, name)).uid))).toEqual(new Set([owner]));
    },
  );

  it.each([['reindex'], ['backup', 'folder', '--keep', '2']])(
    'creates no database for %p %p',
    async (...args) => {
      const empty = join(folder, 'empty');
      mkdirSync(empty, { recursive: true });
      const { status, stderr } = await run(args, { folder: empty });
      expect([status, stderr]).toEqual([1, 'There is no database at data/posts.sqlite.\n']);
      expect(readdirSync(empty)).toEqual([]);
    },
  );

  it('runs as a script of package.json, and names this script in its messages', async () => {
    const environment = { npm_package_name: 'posts-service', npm_lifecycle_event: 'posts' };
    const { status, stdout, stderr } = await run([], { environment });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: npm run posts -- \[options\] \[command\]\n/);
    expect((await run(['--help'], { environment })).stdout).toBe(stderr);
  });

  // PowerShell removes the `--` before npm sees it.
  it.each([
    [['migrate'], 'dry_run', 'true', 'dry-run'],
    [['restore', 'copy.sqlite'], 'database', 'mine.sqlite', 'database'],
    [['account', 'add', 'b'], 'database', 'mine.sqlite', 'database'],
    [['backup', 'place'], 'keep', '7', 'keep'],
    [[], 'port', '4000', 'port'],
  ])('refuses %j while npm has taken an option: %s=%s', async (args, name, value, option) => {
    const environment = {
      npm_package_name: 'posts-service',
      npm_lifecycle_event: args.length === 0 ? 'start' : 'posts',
      [`npm_config_${name}`]: value,
    };
    const place = temporaryFolder();
    const { status, stdout, stderr } = await run(args, { folder: place, environment });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^error: npm took the option --${option}: write it behind --, as in \`npm `),
    );
    expect(readdirSync(place)).toEqual([]);
  });

  it('reports that npm ci has failed, or that the build is missing', async () => {
    const unbuilt = join(folder, 'unbuilt');
    cpSync(join(ROOT, 'bin'), join(unbuilt, 'bin'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(unbuilt, 'package.json'));
    const start = (): string =>
      spawnSync(process.execPath, ['bin/posts-service.cjs'], { cwd: unbuilt, encoding: 'utf8' }).stderr;
    expect(start()).toBe('A package is missing: run npm ci, and read what it says at its end.\n');
    symlinkSync(join(ROOT, 'node_modules'), join(unbuilt, 'node_modules'));
    expect(start()).toBe('The service is not built yet: npm run build\n');
  });

  const OLD = {
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`${engines.node}; this is 22.11.0.\n`),
  };
  const SUPPORTED = { status: 0, stdout: `${version}\n`, stderr: '' };

  it.each([
    ['20.19.0', SUPPORTED],
    ['22.11.0', OLD],
    ['22.12.0', SUPPORTED],
    ['24.1.0', SUPPORTED],
  ])('prints its version, or refuses to run, on Node %s', async (node, outcome) => {
    // Reports another version of Node than the one that runs.
    const script = `Object.defineProperty(process.versions, 'node', { value: '${node}' });`;
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
    expect(await run(['--version'], { nodeArgs })).toEqual(outcome);
  });
});
