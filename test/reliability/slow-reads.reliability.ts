import { cp } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from '../support/command.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const POSTS = 100_000;
const CONNECTIONS = 30;
const DURATION_MS = 6_000;
/** The median response time during an attack may exceed that of an idle instance by this many ms. */
const MAX_EXTRA_MS = 500;

let folder: string;
let service: ServiceProcess;
let control: ServiceProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  const [attacked, idle] = ['attacked.sqlite', 'control.sqlite'].map((name) => join(folder, name));
  await runCommand(['seed', String(POSTS)], { folder, environment: { DATABASE_URL: `sqlite:${attacked}` } });
  await cp(attacked!, idle!);
  [service, control] = await Promise.all([
    ServiceProcess.start({ databasePath: attacked! }),
    ServiceProcess.start({ databasePath: idle! }),
  ]);
}, 120_000);
afterAll(async () => {
  for (const each of [service, control]) each.kill('SIGTERM');
  await Promise.all([service.exited(), control.exited()]);
}, 60_000);

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/**
 * Sends a request.
 *
 * @param client a loopback address that identifies the client
 * @returns the status, or 0 when the connection broke
 */
function call({ port }: ServiceProcess, client: string, agent: Agent, options: Call): Promise<number> {
  const { path, method, headers, body } = options;
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port, path, method, headers, agent, localAddress: client };
    request(to, (response) => response.resume().once('close', () => resolve(response.statusCode ?? 0)))
      .once('error', () => resolve(0))
      .end(body);
  });
}

let calls = 0;
/** A date before all posts, different in every call. */
const since = (): string => `pub_date_after=0001-01-01T00:00:00.${String((calls += 1)).padStart(6, '0')}Z`;
const COUNT = { Prefer: 'count=exact' };

const ATTACKS: Record<string, () => Call> = {
  counts: () => ({ path: `/posts/?limit=1&${since()}`, headers: COUNT }),
  'counts of searches': () => ({ path: `/posts/?limit=1&search=e&${since()}`, headers: COUNT }),
  'pages by title of a filter by date': () => ({ path: `/posts/?limit=1&ordering=title&${since()}` }),
  'exports by title of a filter by date': () => ({
    path: `/posts/?ordering=title&${since()}`,
    headers: { ...COUNT, Accept: 'application/x-ndjson' },
  }),
};

const PROBES: Record<string, () => Call> = {
  one: () => ({ path: `/posts/${1 + ((calls += 1) % POSTS)}/` }),
  page: () => ({ path: `/posts/?limit=20&offset=${(calls += 1) % 5_000}` }),
  create: () => ({
    path: '/posts/',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"title":"small","body":""}',
  }),
};

/** Sends requests one after another. @returns the median and the longest response time in ms */
async function waits(to: ServiceProcess, end: number, probe: () => Call): Promise<[number, number]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const all: number[] = [];
  while (performance.now() < end) {
    const startedAt = performance.now();
    const status = await call(to, '127.0.0.2', agent, probe());
    if (status >= 300) throw new Error(`The response was ${status}.`);
    all.push(Math.round(performance.now() - startedAt));
    await sleep(20);
  }
  agent.destroy();
  all.sort((a, b) => a - b);
  return [all[all.length >> 1]!, all.at(-1)!];
}

describe('a client with 30 connections for slow reads', () => {
  it.each(Object.keys(ATTACKS))(
    'does not delay other clients: %s',
    async (name) => {
      const end = performance.now() + DURATION_MS;
      const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
      const attack = async (): Promise<void> => {
        while (performance.now() < end) {
          if ((await call(service, '127.0.0.1', agent, ATTACKS[name]!())) === 503) await sleep(50);
        }
      };
      const attackers = Array.from({ length: CONNECTIONS }, attack);
      await sleep(500);
      const names = Object.keys(PROBES);
      const [attacked, idle] = await Promise.all(
        [service, control].map((to) => Promise.all(names.map((each) => waits(to, end, PROBES[each]!)))),
      );
      agent.destroy();
      await Promise.all(attackers);
      for (const [index, probe] of names.entries()) {
        const [now, alone] = [attacked![index]!, idle![index]!];
        process.stdout.write(`${name}, ${probe}: ${now.join(' / ')} ms, idle ${alone.join(' / ')} ms\n`);
        expect(now[0]).toBeLessThan(alone[0] + MAX_EXTRA_MS);
      }
    },
    120_000,
  );
});
