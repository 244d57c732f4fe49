import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { giveToNobody, PostgresServer, USER } from '../support/postgres-server.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const ROOT = join(import.meta.dirname, '../..');
const LITESTREAM = join(ROOT, 'node_modules/@flydotio/litestream-linux-x64');
const POSTS = 20;

for (const [program, install] of [
  ['/usr/bin/pgbackrest', 'apt-get install pgbackrest'],
  [join(LITESTREAM, 'litestream'), 'npm install --no-save @flydotio/litestream'],
] as const)
  if (!existsSync(program)) throw new Error(`${program} is missing: ${install}`);

const document = await readFile(join(ROOT, 'docs/operate/recovery.md'), 'utf8');
const blocks = [...document.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands]) => commands!);

/** The block of the document that begins with the text. */
function block(beginning: string): string {
  const found = blocks.find((each) => each.startsWith(beginning));
  if (found === undefined) throw new Error(`The document has no command ${beginning}`);
  return found;
}

/** The titles of new posts, each stored by an acknowledged write. */
async function store(service: ServiceProcess, name: string): Promise<string[]> {
  const titles = Array.from({ length: POSTS }, (_, i) => `${name} ${i}`);
  for (const title of titles) expect(await service.post({ title, body: 'x' })).toMatchObject({ status: 201 });
  return titles;
}

async function titlesOf(service: ServiceProcess): Promise<string[]> {
  const { text } = await service.get('/posts/?ordering=id&limit=1000&fields=title');
  return (JSON.parse(text) as { title: string }[]).map(({ title }) => title);
}

/** A moment between two writes, in the seconds in which both programs take it. */
async function momentBetween(): Promise<Date> {
  await sleep(2_000);
  const moment = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  await sleep(2_000);
  return moment;
}

describe('PostgreSQL with the files of deploy/pgbackrest', () => {
  let server: PostgresServer;
  let folder: string;

  /** Runs commands of the document as the user of the server. */
  const run = (script: string): Promise<unknown> =>
    promisify(execFile)(
      'bash',
      ['-ec', script.replaceAll('pgbackrest ', `pgbackrest --config=${folder}/pgbackrest.conf `)],
      {
        cwd: folder,
        env: { PATH: process.env['PATH'], PGPASSWORD: decodeURIComponent(new URL(server.url()).password) },
        ...USER,
      },
    );

  beforeAll(async () => {
    folder = temporaryFolder();
    await chmod(folder, 0o755);
    await giveToNobody(folder);
    const archiving = await readFile(join(ROOT, 'deploy/pgbackrest/archiving.conf'), 'utf8');
    expect(archiving).toContain("'pgbackrest ");
    server = await PostgresServer.start([
      `unix_socket_directories = '${folder}'`,
      archiving.replace("'pgbackrest ", `'pgbackrest --config=${folder}/pgbackrest.conf `),
    ]);
    const configuration = (await readFile(join(ROOT, 'deploy/pgbackrest/pgbackrest.conf'), 'utf8'))
      .replace(
        '/mnt/another-machine/pgbackrest',
        `${folder}/repository\nspool-path=${folder}\nlock-path=${folder}\nlog-path=${folder}`,
      )
      .replace(
        '/var/lib/postgresql/15/main',
        `${server.folder}/data\npg1-port=${server.port}\npg1-socket-path=${folder}\npg1-user=posts`,
      );
    await writeFile(join(folder, 'pgbackrest.conf'), configuration);
    await mkdir(join(folder, 'repository'));
    await giveToNobody(folder);
    await run(block('pgbackrest --stanza=posts stanza-create'));
  });

  afterAll(() => server.remove());

  const restored = async (): Promise<ServiceProcess> => {
    await server.startAgain();
    await until(async () => {
      const rows = (await server.query('SELECT pg_is_in_recovery() AS "isRecovering"')) as {
        isRecovering: boolean;
      }[];
      return !rows[0]!.isRecovering;
    });
    return ServiceProcess.start({ environment: { DATABASE_URL: server.url() } });
  };

  it('comes back as it was at a moment', async () => {
    const service = await ServiceProcess.start({ environment: { DATABASE_URL: server.url() } });
    const before = await store(service, 'before');
    const moment = await momentBetween();
    await store(service, 'after');
    await service.stop();
    await server.stop();
    const restore = block('pgbackrest --stanza=posts --type=time');
    await run(
      restore.replace(/'2026[^']*'/, `'${moment.toISOString().replace('T', ' ').replace('Z', '+00')}'`),
    );
    const again = await restored();
    expect(await titlesOf(again)).toEqual(before);
    await again.stop();
  });

  it('comes back with all that was archived after its disk was lost', async () => {
    const service = await ServiceProcess.start({ environment: { DATABASE_URL: server.url() } });
    const stored = [...(await titlesOf(service)), ...(await store(service, 'archived'))];
    const read = async (expression: string): Promise<string> => {
      const [row] = (await server.query(`SELECT ${expression} AS "value" FROM pg_stat_archiver`)) as {
        value: string;
      }[];
      return row!.value;
    };
    const segment = await read('pg_walfile_name(pg_current_wal_lsn())');
    // It is closed after archive_timeout.
    await until(async () => (await read('last_archived_wal')) >= segment);
    await server.kill();
    await service.stop();
    await rename(join(server.folder, 'data'), join(server.folder, 'lost'));
    await mkdir(join(server.folder, 'data'), { mode: 0o700 });
    await giveToNobody(server.folder);
    await run('pgbackrest --stanza=posts restore');
    const again = await restored();
    expect(await titlesOf(again)).toEqual(stored);
    await again.stop();
  });
});

describe('SQLite with the file of deploy/litestream', () => {
  let folder: string;
  let data: string;
  let litestream: ChildProcess;

  const local = (text: string): string =>
    text
      .replaceAll('/etc/litestream.yml', join(folder, 'litestream.yml'))
      .replaceAll('/var/lib/posts-service', data)
      .replaceAll('/mnt/another-machine/posts', join(folder, 'copy'));
  const env = { PATH: `${LITESTREAM}:${process.env['PATH']}` };

  const startService = (): Promise<ServiceProcess> =>
    ServiceProcess.start({ databasePath: join(data, 'posts.sqlite') });

  const startLitestream = (): void => {
    litestream = spawn('bash', ['-c', `exec ${local(block('litestream replicate'))}`], {
      env,
      stdio: 'ignore',
    });
  };

  /** Without a chance to copy what is not yet in the copy. */
  const killLitestream = async (): Promise<void> => {
    const exit = once(litestream, 'exit');
    litestream.kill('SIGKILL');
    await exit;
  };

  const restore = async (moment?: Date): Promise<void> => {
    await rename(data, join(folder, `lost-${Date.now()}`));
    await mkdir(data);
    const commands = local(block('litestream restore'));
    const timestamp = moment ? `-timestamp ${moment.toISOString()}` : '';
    await promisify(execFile)('bash', ['-ec', commands.replace(/-timestamp \S+/, timestamp)], { env });
  };

  beforeAll(async () => {
    folder = temporaryFolder();
    data = join(folder, 'data');
    await mkdir(data);
    const configuration = await readFile(join(ROOT, 'deploy/litestream/litestream.yml'), 'utf8');
    await writeFile(join(folder, 'litestream.yml'), local(configuration));
  });

  afterAll(() => litestream.kill('SIGKILL'));

  it('comes back as it was at a moment, and with all that was copied after its disk was lost', async () => {
    let service = await startService();
    startLitestream();
    const before = await store(service, 'before');
    const moment = await momentBetween();
    const after = await store(service, 'after');
    // It copies every second.
    await sleep(5_000);
    await service.stop('SIGKILL');
    await killLitestream();
    await restore();
    service = await startService();
    expect(await titlesOf(service)).toEqual([...before, ...after]);
    await service.stop();

    await restore(moment);
    service = await startService();
    startLitestream();
    expect(await titlesOf(service)).toEqual(before);
    await store(service, 'again');
    await service.stop();
  });
});
