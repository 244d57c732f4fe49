/**
 * A load generator on plain sockets. It is cheap: on one core, it is faster than every server measured here. Reads its
 * task as JSON from standard input, prints the result as JSON.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const { port, requests, connections, durationMs, expect } = JSON.parse(await text(process.stdin));
const payloads = requests.map((request) => Buffer.from(request));
const latencies = [];
let next = 0;
let failed = 0;
let running = true;

const bodyStart = Buffer.from('\r\n\r\n');

/** The length of the response at the start of the bytes, or 0 while it is incomplete. */
function answerLength(bytes) {
  const end = bytes.indexOf(bodyStart);
  if (end < 0) return 0;
  const head = bytes.latin1Slice(0, end);
  const found = /\r\ncontent-length: (\d+)/i.exec(head);
  const total = end + 4 + (found ? Number(found[1]) : 0);
  return bytes.length >= total ? total : 0;
}

function client() {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let pending;
    let sentAt = 0;
    const send = () => {
      if (!running) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(payloads[next++ % payloads.length]);
    };
    socket.on('connect', send);
    socket.on('data', (chunk) => {
      pending = pending ? Buffer.concat([pending, chunk]) : chunk;
      const length = answerLength(pending);
      if (length === 0) return;
      latencies.push(performance.now() - sentAt);
      if (Number(pending.latin1Slice(9, 12)) !== expect) failed++;
      pending = undefined;
      send();
    });
    socket.on('error', () => {
      failed++;
      resolve();
    });
  });
}

const startedAt = performance.now();
setTimeout(() => (running = false), durationMs);
await Promise.all(Array.from({ length: connections }, client));
const seconds = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
process.stdout.write(
  JSON.stringify({
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
    failed,
  }),
);
