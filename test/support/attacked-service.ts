import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand } from './command.js';
import { ServiceProcess } from './service-process.js';
import { temporaryFolder } from './temporary-folder.js';

/** A small request during an attack may wait this many ms longer than one to an idle service. */
export const MAX_EXTRA_MS = 500;

/** Two services: the attacked one, and an idle one whose response times show only the load of the machine. */
interface AttackedService {
  readonly attacked: ServiceProcess;
  readonly idle: ServiceProcess;
}

/** Starts both services, each with this many posts. */
export async function startAttackedService(posts: number): Promise<AttackedService> {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'attacked.sqlite'), join(folder, 'idle.sqlite')];
  const seeded = { folder, environment: { DATABASE_URL: `sqlite:${path}` } };
  expect((await runCommand(['seed', String(posts)], seeded)).status).toBe(0);
  await cp(path, copy);
  // The setting of the image and of the systemd unit: by default, malloc keeps freed memory per thread.
  const environment = { MALLOC_ARENA_MAX: '2' };
  const start = (databasePath: string) => ServiceProcess.start({ databasePath, environment });
  const [attacked, idle] = await Promise.all([start(path), start(copy)]);
  return { attacked, idle };
}

/** Sends a small request. */
export type Probe = (to: ServiceProcess) => Promise<unknown>;

/** Repeats the probes to both services during the work. @returns how many ms those to the attacked one take longer */
export async function delaysDuring(
  what: string,
  { attacked, idle }: AttackedService,
  probes: Readonly<Record<string, Probe>>,
  work: () => Promise<unknown>,
): Promise<Record<string, { median: number; longest: number }>> {
  const end = new AbortController();
  const measuring = Object.entries(probes).map(async ([name, probe]) => {
    const [under, without] = await Promise.all(
      [attacked, idle].map((to) => timesOf(() => probe(to), end.signal)),
    );
    const difference = (share: number): number => quantile(under!, share) - quantile(without!, share);
    return [name, { median: difference(0.5), longest: difference(1) }] as const;
  });
  await work();
  end.abort();
  const delays = Object.fromEntries(await Promise.all(measuring));
  process.stdout.write(`${what}: ms longer ${JSON.stringify(delays)}\n`);
  return delays;
}

async function timesOf(send: () => Promise<unknown>, end: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!end.aborted) {
    const startedAt = performance.now();
    await send();
    times.push(Math.round(performance.now() - startedAt));
    await sleep(20);
  }
  return times.toSorted((a, b) => a - b);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)]!;
}
