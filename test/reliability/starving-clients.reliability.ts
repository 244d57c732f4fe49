import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A request during an attack may wait this many ms longer than one to an idle instance. */
const MAX_EXTRA_MS = 500;
const MIB = 1_048_576;
/** A stored block without data (RFC 1951 §3.2.4). */
const EMPTY_BLOCK = Buffer.of(0, 0, 0, 0xff, 0xff);

let folder: string;
let service: ServiceProcess;
let control: ServiceProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  const start = (name: string) => ServiceProcess.start({ databasePath: join(folder, name) });
  [service, control] = await Promise.all([start('attacked.sqlite'), start('control.sqlite')]);
}, 60_000);
afterAll(async () => {
  for (const each of [service, control]) each.kill('SIGTERM');
  await Promise.all([service.exited(), control.exited()]);
}, 60_000);

function send(type: string, coding: string, body: Buffer, missingBytes = 0): Socket {
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  const head = [
    'POST /posts/ HTTP/1.1',
    'Host: 127.0.0.1',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length + missingBytes}`,
    ...(coding === '' ? [] : [`Content-Encoding: ${coding}`]),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return socket;
}

/** The longest response times for a small request in ms, on the attacked instance and on the idle one. */
async function longestWaits(durationMs: number): Promise<{ attacked: number; idle: number }> {
  const end = performance.now() + durationMs;
  const watch = async ({ port }: ServiceProcess): Promise<number> => {
    let longest = 0;
    while (performance.now() < end) {
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/posts/?limit=1`);
      await response.arrayBuffer();
      longest = Math.max(longest, performance.now() - startedAt);
      await sleep(20);
    }
    return Math.round(longest);
  };
  const [attacked, idle] = await Promise.all([watch(service), watch(control)]);
  return { attacked, idle };
}

async function create(): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const body = '{"title":"small","body":""}';
  const response = await fetch(`http://127.0.0.1:${service.port}/posts/`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function cpuSeconds(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${service.port}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(text)![1]);
}

const show = (what: string, detail: object): void =>
  void process.stdout.write(`${what}: ${JSON.stringify(detail)}\n`);

describe('a client that sends little data and causes much work', () => {
  it('cannot delay other clients with 1 GiB of newlines, and costs nothing once disconnected', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(1_024 * MIB, '\n'), { params: { 1: 3 } });
    const sockets = Array.from({ length: 10 }, () => send('application/x-ndjson', 'br', bomb, 1));
    const waiting = longestWaits(5_000);
    await sleep(1_000);
    for (const socket of sockets) socket.destroy();
    const waits = await waiting;
    const before = await cpuSeconds();
    await sleep(5_000);
    const cpuAfter = (await cpuSeconds()) - before;
    show('import bombs', { bytes: bomb.length, ...waits, cpuSecondsInFiveAfter: cpuAfter });
    expect(waits.attacked).toBeLessThan(waits.idle + MAX_EXTRA_MS);
    expect(cpuAfter).toBeLessThan(1);
  }, 120_000);

  it('cannot delay other clients with endless bodies that inflate to 16 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(15 * MIB, 'x')).subarray(0, -8);
    const sockets = Array.from({ length: 4 }, () => send('application/json', 'gzip', bomb, 10 * MIB));
    const trickle = setInterval(() => {
      for (const socket of sockets) socket.write(Buffer.alloc(1_025, EMPTY_BLOCK));
    }, 1_000);
    const statuses: number[] = [];
    const waiting = longestWaits(10_000);
    for (let second = 0; second < 10; second += 1) {
      statuses.push(await create());
      await sleep(1_000);
    }
    const waits = await waiting;
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
    show('bodies kept alive', { bytes: bomb.length, ...waits, statuses: [...new Set(statuses)] });
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(waits.attacked).toBeLessThan(waits.idle + MAX_EXTRA_MS);
  }, 120_000);
});
