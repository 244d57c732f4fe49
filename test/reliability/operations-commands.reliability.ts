import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { DocumentedCommands } from '../support/commands-of-docs.js';
import { PostgresServer } from '../support/postgres-server.js';
import { aPost } from '../support/posts.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'a-long-password';
const TOKEN = 'a-token-of-20-characters';

/** Every command, statement and setting of docs/operations.md. The last test fails when one is left. */
const commands = new DocumentedCommands('operations.md');
const services: ChildProcess[] = [];
let folder: string;
let server: PostgresServer;

beforeAll(async () => {
  folder = temporaryFolder();
  // The scripts of the service, for another working directory.
  const { name, scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    scripts: Record<'posts' | 'start', string>;
  };
  const here = (script: string): string => script.replace('bin/', `"${ROOT}/bin/`).replace(/$/, '"');
  const local = { posts: here(scripts.posts), start: here(scripts.start) };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, scripts: local }));
  server = await PostgresServer.start();
  // The document makes a role `posts`, and the test's superuser has this name.
  await server.query(`CREATE ROLE boss SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
  await psql('ALTER ROLE posts RENAME TO postgres');
});

afterAll(async () => {
  for (const each of services)
    if (each.exitCode === null && each.signalCode === null) process.kill(-each.pid!, 'SIGKILL');
  await server.remove();
});

function urlOf(role: string, database = 'posts'): string {
  return `postgres://${role}:${PASSWORD}@127.0.0.1:${server.port}/${database}`;
}

function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH: `${server.binaries}:${PATH}`, HOME, PORT: '0', PASSWORD_HASH_MEMORY: '16', ...more };
}

interface Shell {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs a script in the folder, with the folders and secrets of the test in place of the document's. */
async function sh(script: string, { env = {}, stdin = '' }: Shell = {}): Promise<string> {
  const local = script
    .replaceAll('/backups', join(folder, 'backups'))
    .replaceAll('deploy/', `${ROOT}/deploy/`)
    .replaceAll('API_TOKENS=…', `API_TOKENS=${TOKEN}`);
  const running = promisify(execFile)('bash', ['-eo', 'pipefail', '-c', local], {
    cwd: folder,
    env: environment(env),
  });
  running.child.stdin!.end(stdin);
  return (await running).stdout;
}

/** Runs statements as the superuser. */
function psql(statements: string, database = 'postgres'): Promise<string> {
  const file = `<<'END'\n${statements.replaceAll('…', PASSWORD)}\nEND`;
  return sh(`psql --quiet --set=ON_ERROR_STOP=1 "${urlOf('boss', database)}" ${file}`);
}

/** Starts the service by the script, and waits until it listens. */
async function start(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn('bash', ['-c', script], { cwd: folder, env: environment(env), detached: true });
  services.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const listens = /listens on ([^"]+)"/;
  await until(() => {
    if (child.exitCode !== null) throw new Error(output);
    return listens.test(output);
  });
  return {
    url: listens.exec(output)![1]!,
    stop: async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await until(
        () => output.includes('The service has stopped.') && (child.exitCode ?? child.signalCode) !== null,
      );
    },
  };
}

async function create(url: string, title: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${TOKEN}` };
  const response = await fetch(`${url}posts/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(aPost({ title })),
  });
  expect(response.status).toBe(201);
  return response;
}

describe('the commands of docs/operations.md for PostgreSQL', () => {
  it('make one role and a database', async () => {
    await psql(commands.take('CREATE ROLE posts LOGIN'));
    const service = await start('npm start', { DATABASE_URL: urlOf('posts') });
    await create(service.url, 'made by one role');
    await service.stop();
    await psql('DROP DATABASE posts; DROP ROLE posts');
  });

  it('make an owner that migrates, and a role for the service without other rights', async () => {
    await psql(commands.take('CREATE ROLE posts_owner'));
    await psql(commands.take('ALTER ROLE posts_service IN DATABASE posts'));
    const [migrate, serve] = commands.take('npm run posts -- migrate\n').trim().split('\n');
    await sh(migrate!, { env: { DATABASE_URL: urlOf('posts_owner') } });
    const service = await start(serve!, { DATABASE_URL: urlOf('posts_service') });
    const { headers } = await create(service.url, 'made by the service');
    const post = headers.get('Location')!;
    expect((await fetch(post, { method: 'DELETE' })).status).toBe(204);
    await create(service.url, 'kept');
    await psql(commands.take('SELECT gin_clean_pending_list'), 'posts');
    await service.stop();
    const env = { DATABASE_URL: urlOf('posts_service'), DATABASE_MIGRATE: 'off' };
    await sh('npm run posts -- reindex', { env });
    for (const command of ['check', 'compact']) {
      const script = `npm run posts -- ${command}`;
      await expect(sh(script, { env })).rejects.toThrow('The command needs the role that owns the tables');
      await sh(script, { env: { DATABASE_URL: urlOf('posts_owner') } });
    }
    await expect(sh(`psql "${urlOf('posts_service')}" -c 'DROP TABLE posts'`)).rejects.toThrow(
      'must be owner',
    );
  });

  it('make a replica', async () => {
    await psql(commands.take('CREATE ROLE posts_replica'));
    const data = join(folder, 'replica');
    const script = commands.take('pg_basebackup --dbname="postgres:');
    const primary = `posts_replica:${PASSWORD}@127.0.0.1:${server.port}`;
    await sh(script.replace(/posts_replica:…@primary/, primary), { env: { PGDATA: data } });
    expect(await readdir(data)).toContain('standby.signal');
    expect(await readFile(join(data, 'postgresql.auto.conf'), 'utf8')).toContain('user=posts_replica');
  });

  it('back up as the owner, as the CronJob does, and restore', async () => {
    const cronJob = await readFile(join(ROOT, 'deploy/kubernetes/backup.yaml'), 'utf8');
    expect(cronJob).toContain('key: OWNER_DATABASE_URL');
    const backup = commands.take('bash deploy/kubernetes/backup-postgres.sh');
    const restore = commands.take('pg_restore');
    const written = await sh(backup, { env: { DATABASE_URL: urlOf('posts_owner') } });
    expect(written).toMatch(/\.dump was written and verified\.$/m);
    const names = (await readdir(join(folder, 'backups'))).filter((name) => name.endsWith('.dump'));
    await psql('CREATE DATABASE restored OWNER posts_owner');
    const env = { DATABASE_URL: urlOf('posts_owner', 'restored') };
    await sh(restore.replace(/posts-\w+\.dump/, names.toSorted().at(-1)!), { env });
    expect(await sh('npm run --silent posts -- export -', { env })).toContain('"title":"kept"');
  });

  it('move the data from SQLite', async () => {
    await sh('npm run posts -- seed 20');
    await psql('CREATE DATABASE moved OWNER posts_owner');
    const move = commands.take('npm run posts -- move');
    expect(await sh(move.replace(/postgres:\S+/, urlOf('posts_owner', 'moved')))).toContain('posts: 20\n');
    await rm(join(folder, 'data'), { recursive: true });
  });
});

describe('the commands of docs/operations.md for SQLite', () => {
  it('back up while the service runs, and restore', async () => {
    const service = await start('npm start', {});
    await create(service.url, 'backed up');
    await sh(commands.take('npm run posts -- backup /backups --keep 14'));
    const inContainer = commands.take('docker exec posts ').replace('docker exec posts ', '');
    await sh(inContainer.replace('bin/', `"${ROOT}"/bin/`).replace('/backups', '/backups/in-container'));
    expect(await readdir(join(folder, 'backups/in-container'))).toEqual([
      expect.stringMatching(/\.sqlite$/),
      expect.stringMatching(/\.sqlite\.sha256$/),
    ]);
    await mkdir(join(folder, 'elsewhere'));
    await sh(commands.take('cp --archive').replace('/mnt/another-machine/posts', join(folder, 'elsewhere')));
    await service.stop();
    const [name] = (await readdir(join(folder, 'elsewhere'))).filter((each) => /^posts-.*sqlite$/.test(each));
    const restore = commands
      .take('npm run posts -- restore')
      .replace(/\S+\.sqlite/, join(folder, 'elsewhere', name!));
    expect(await sh(restore)).toContain('holds 1 posts.');
  });

  it('import and export, in the database and over the API', async () => {
    await writeFile(join(folder, 'posts.ndjson'), `${JSON.stringify(aPost({ title: 'a line' }))}\n`);
    await writeFile(join(folder, 'posts.csv'), 'title,body\r\na cell,\r\n');
    await sh(commands.take('npm run posts -- import posts.ndjson'));
    expect(await readFile(join(folder, 'all-posts.csv'), 'utf8')).toMatch(/a line[^]*a cell/);

    const service = await start('npm start', { API_TOKENS: TOKEN });
    const command = commands.take('curl --data-binary').replace('…', TOKEN);
    await sh(command.replaceAll('https://posts.example/', service.url));
    expect((await readFile(join(folder, 'all-posts.csv'), 'utf8')).match(/a line/g)).toHaveLength(2);
    await service.stop();
  });

  it('manage accounts', async () => {
    const lines = commands.take('npm run posts -- account list').trim().split('\n');
    for (const line of lines) await sh(line, { stdin: `${PASSWORD}\n` });
    expect(await sh('npm run --silent posts -- account list')).toMatch(/^Zoë\tviewer\tenabled\t/m);
  });

  it('check, compact and index', async () => {
    const said = await sh(commands.take('npm run posts -- check'));
    expect(said).toMatch(/is sound\.[^]*MiB\.[^]*was rebuilt\./);
    await sh('chmod 644 data/posts.sqlite');
    await sh(commands.take('chmod 700 data'));
    expect((await stat(join(folder, 'data/posts.sqlite'))).mode & 0o777).toBe(0o600);
    await sh(
      `rm -r backups/posts-*; ${commands.take('npm run posts -- backup FILE').replace('FILE', 'backups/one.sqlite')}`,
    );
  });
});

describe('the rest of docs/operations.md', () => {
  it('has a scrape configuration with the job name of the alerts', async () => {
    const { scrape_configs: jobs } = parse(commands.take('scrape_configs')) as {
      scrape_configs: { job_name: string }[];
    };
    const alerts = await readFile(join(ROOT, 'docs/monitoring/prometheus-alerts.yaml'), 'utf8');
    expect(jobs.map(({ job_name: name }) => `job="${name}"`)).toEqual([/job="\w+"/.exec(alerts)![0]]);
  });

  it('is tested in other files', async () => {
    const others = [
      ['wal_level', 'backups.reliability.ts', `commands.take('wal_level')`],
      [
        'pg_basebackup --dbname="$DATABASE_URL"',
        'backups.reliability.ts',
        `.take('pg_basebackup --dbname="$DATABASE_URL"')`,
      ],
      ['restore_command', 'backups.reliability.ts', `commands.take('restore_command')`],
      // The packages of the instrumentation were tried by hand; this test preloads another module.
      ['npm install --prefix /opt/otel', '../cli/bundle.sqlite.e2e.ts', 'NODE_OPTIONS'],
    ] as const;
    for (const [command, file, evidence] of others) {
      expect(commands.take(command)).not.toBe('');
      expect(await readFile(join(import.meta.dirname, file), 'utf8')).toContain(evidence);
    }
  });

  it('has no untested command', () => {
    expect(commands.left).toEqual([]);
  });
});
