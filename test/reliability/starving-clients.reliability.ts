import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { aPost } from '../support/posts.js';
import { attackedService, MAX_EXTRA_MS, show, watch } from '../support/attacked-service.js';

const MIB = 1_048_576;
/** A stored block without data (RFC 1951 §3.2.4). */
const EMPTY_BLOCK = Buffer.of(0, 0, 0, 0xff, 0xff);

const services = attackedService();

function send(type: string, coding: string, body: Buffer, missingBytes = 0): Socket {
  const socket = connect(services.attacked.port, '127.0.0.1').on('error', () => undefined);
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

/** Watches both services. @returns a function that stops it, with the longest response times in ms */
function watchBoth(): () => Promise<{ attacked: number; idle: number }> {
  const ends = [services.attacked, services.idle].map((to) => watch(() => to.send('GET', '/posts/?limit=1')));
  return async () => {
    const [attacked, idle] = (await Promise.all(ends.map((end) => end()))).map(({ longest }) => longest);
    return { attacked: attacked!, idle: idle! };
  };
}

async function cpuSeconds(): Promise<number> {
  const { text } = await services.attacked.send('GET', '/metrics');
  return Number(/^process_cpu_seconds_total ([\d.e-]+)$/m.exec(text)![1]);
}

describe('a client that sends little data and causes much work', () => {
  it('cannot delay other clients with 1 GiB of newlines, and costs nothing once disconnected', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(1_024 * MIB, '\n'), { params: { 1: 3 } });
    const sockets = Array.from({ length: 10 }, () => send('application/x-ndjson', 'br', bomb, 1));
    const stop = watchBoth();
    await sleep(1_000);
    for (const socket of sockets) socket.destroy();
    await sleep(4_000);
    const waits = await stop();
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
    const stop = watchBoth();
    for (let second = 0; second < 10; second += 1) {
      statuses.push((await services.attacked.send('POST', '/posts/', { json: aPost() })).status);
      await sleep(1_000);
    }
    const waits = await stop();
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
    show('bodies kept alive', { bytes: bomb.length, ...waits, statuses: [...new Set(statuses)] });
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(waits.attacked).toBeLessThan(waits.idle + MAX_EXTRA_MS);
  }, 120_000);
});
