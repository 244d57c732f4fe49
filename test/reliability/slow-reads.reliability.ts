import { cp } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attackedService, MAX_EXTRA_MS, show, watch } from '../support/attacked-service.js';
import { runCommand } from '../support/command.js';
import type { ServiceProcess } from '../support/service-process.js';

const POSTS = 100_000;
const CONNECTIONS = 30;
const DURATION_MS = 6_000;

const services = attackedService(async (folder, [attacked, idle]) => {
  const environment = { DATABASE_URL: `sqlite:${join(folder, attacked!)}` };
  await runCommand(['seed', String(POSTS)], { folder, environment });
  await cp(join(folder, attacked!), join(folder, idle!));
});

let calls = 0;
/** A date before all posts, different in every call. */
const since = (): string => `pub_date_after=0001-01-01T00:00:00.${String((calls += 1)).padStart(6, '0')}Z`;
const COUNT = { Prefer: 'count=exact' };

type Call = (to: ServiceProcess, agent: Agent) => Promise<{ readonly status: number }>;

const get =
  (target: () => string, headers = {}): Call =>
  (to, agent) =>
    to.send('GET', target(), { headers, agent });

const ATTACKS: Readonly<Record<string, Call>> = {
  counts: get(() => `/posts/?limit=1&${since()}`, COUNT),
  'counts of searches': get(() => `/posts/?limit=1&search=e&${since()}`, COUNT),
  'pages by title of a filter by date': get(() => `/posts/?limit=1&ordering=title&${since()}`),
  'exports by title of a filter by date': get(() => `/posts/?ordering=title&${since()}`, {
    ...COUNT,
    Accept: 'application/x-ndjson',
  }),
};

const PROBES: Readonly<Record<string, Call>> = {
  one: get(() => `/posts/${1 + ((calls += 1) % POSTS)}/`),
  page: get(() => `/posts/?limit=20&offset=${(calls += 1) % 5_000}`),
  create: (to, agent) => to.send('POST', '/posts/', { json: { title: 'small', body: '' }, agent }),
};

describe('a client with 30 connections for slow reads', () => {
  it.each(Object.entries(ATTACKS))('does not delay other clients: %s', async (name, attack) => {
    const end = performance.now() + DURATION_MS;
    // An address identifies a client.
    const attacker = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, localAddress: '127.0.0.1' });
    const other = new Agent({ keepAlive: true, localAddress: '127.0.0.2' });
    const attacking = Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < end) {
        const response = await attack(services.attacked, attacker).catch(() => undefined);
        if (response?.status === 503) await sleep(50);
      }
    });
    await sleep(500);
    const watches = Object.entries(PROBES).map(([probe, send]) => {
      const succeed = async (to: ServiceProcess) => expect((await send(to, other)).status).toBeLessThan(300);
      return {
        probe,
        now: watch(() => succeed(services.attacked)),
        alone: watch(() => succeed(services.idle)),
      };
    });
    await Promise.all(attacking);
    for (const { probe, now, alone } of watches) {
      const waits = { now: await now(), idle: await alone() };
      show(`${name}, ${probe}`, waits);
      expect(waits.now.median).toBeLessThan(waits.idle.median + MAX_EXTRA_MS);
    }
    attacker.destroy();
    other.destroy();
  });
});
