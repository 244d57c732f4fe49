import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess } from './service-process.js';
import { temporaryFolder } from './temporary-folder.js';

/** A small request during an attack may wait this many ms longer than one to an idle instance. */
export const MAX_EXTRA_MS = 500;

/** The setting of the image and of the systemd unit: by default, malloc keeps freed memory per thread. */
const MEMORY_OF_THE_IMAGE = { MALLOC_ARENA_MAX: '2' };

/** Two services: the attacked one, and an idle one whose response times show only the load of the machine. */
interface AttackedService {
  attacked: ServiceProcess;
  idle: ServiceProcess;
}

/**
 * Starts both services before the tests of the file and stops them after them. @param prepare makes their databases
 */
export function attackedService(
  prepare: (folder: string, names: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
): AttackedService {
  const services = {} as AttackedService;
  const names = ['attacked.sqlite', 'idle.sqlite'];
  beforeAll(async () => {
    const folder = temporaryFolder();
    await prepare(folder, names);
    const starting = names.map((name) =>
      ServiceProcess.start({ databasePath: join(folder, name), environment: MEMORY_OF_THE_IMAGE }),
    );
    [services.attacked, services.idle] = (await Promise.all(starting)) as [ServiceProcess, ServiceProcess];
  });
  afterAll(() => Promise.all(Object.values(services).map((each: ServiceProcess) => each.stop())));
  return services;
}

/** Response times in ms. */
interface Waits {
  readonly median: number;
  readonly longest: number;
}

/** Repeats a small request. @returns a function that stops it */
export function watch(send: () => Promise<unknown>): () => Promise<Waits> {
  const end = new AbortController();
  const times: number[] = [];
  const watching = (async () => {
    while (!end.signal.aborted) {
      const startedAt = performance.now();
      await send();
      times.push(Math.round(performance.now() - startedAt));
      await sleep(20);
    }
  })();
  return async () => {
    end.abort();
    await watching;
    times.sort((a, b) => a - b);
    return { median: times[times.length >> 1] ?? 0, longest: times.at(-1) ?? 0 };
  };
}

/** Prints the outcome of an attack. */
export function show(what: string, detail: object): void {
  process.stdout.write(`${what}: ${JSON.stringify(detail)}\n`);
}
