import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pLimit from 'p-limit';
import { PASSWORD } from '../support/admin.js';
import { encode } from '../support/encode.js';
import { linesToWaitFor } from '../support/posts.js';
import { randomNumbers } from '../support/properties.js';
import { headOf } from '../support/raw-exchange.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

/** The stages of a request at which the client misbehaves. */
const STAGES = ['header', 'body', 'sent', 'response begun', 'response half read'] as const;
/** The client's action at that stage. */
const ACTS = ['nothing', 'trickle', 'reset', 'half-close', 'garbage', 'second request'] as const;
/** Whether the client sends and accepts compressed bodies. */
const CODINGS = ['plain', 'compressed'] as const;

/** An operation of the service, with one media type of its request or, if it takes none, of its response. */
type Operation = readonly [method: string, path: string, mediaType?: string];

interface Case {
  readonly operation: Operation;
  readonly stage: (typeof STAGES)[number];
  readonly act: (typeof ACTS)[number];
  readonly coding: (typeof CODINGS)[number];
}

interface Described {
  readonly content?: Readonly<Record<string, unknown>>;
}

const CURRENT_SESSION = '/admin/api/sessions/current/';
/** Some operations of the administration, which has no OpenAPI document. */
const OF_ADMINISTRATION: readonly Operation[] = [
  ['POST', '/admin/api/sessions/', 'application/json'],
  ['GET', '/admin/api/changes/', 'application/json'],
  ['POST', '/admin/api/bulk-deletions/', 'application/json'],
  ['POST', '/admin/api/import-checks/', 'application/octet-stream'],
];

const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: Described; responses?: Record<string, Described> }>>;
};
const DOCUMENTED = Object.entries(paths).flatMap(([template, item]) =>
  Object.entries(item).flatMap(([method, { requestBody, responses }]): Operation[] => {
    if (responses === undefined) return [];
    const types = Object.keys((requestBody ?? responses['200'])?.content ?? {});
    const operation = [method.toUpperCase(), template.replaceAll(/\{\w+\}/g, '1')] as const;
    return types.length === 0 ? [operation] : types.map((type) => [...operation, type]);
  }),
);

const random = randomNumbers();
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)]!;
/** About as many as there are pairs of stages and operations. */
const CASES = Array.from({ length: 320 * Number(process.env['FUZZ_RUNS'] ?? 1) }, (): Case => ({
  operation: pick([...DOCUMENTED, ...OF_ADMINISTRATION]),
  stage: pick(STAGES),
  act: pick(ACTS),
  coding: pick(CODINGS),
}));

const WALKS = 3;
/** The limit for V8's heap and Buffers. A leaked request takes some kilobytes, a leaked body more. */
const MAX_HEAP_GROWTH_MIB = 4;
const HALF_READ_BYTES = 65_536;
const SECOND_REQUEST = headOf('GET /health/live');
const FIELDS = { title: 'walk', body: 'some words '.repeat(200) };

/** A log line about a request that was refused because the service is busy or stopping. */
const REFUSAL = /"err":\{"type":"(?:TooMany(?:Bodies|Responses)|ServiceStopping)"/;

let service: ServiceProcess;
let authorization: string;

beforeEach(async () => {
  const databasePath = join(temporaryFolder(), 'posts.sqlite');
  // Clients that read nothing keep the service until the end of this time; the requests of the others must end before, also
  // on a busy machine.
  const environment = { ADMIN_PASSWORD: PASSWORD, SHUTDOWN_TIMEOUT: '15' };
  service = await ServiceProcess.start({ databasePath, environment, isMeasured: true });
  await service.import(linesToWaitFor());
  const json = { username: 'admin', password: PASSWORD };
  const session = await service.request('POST', '/admin/api/sessions/', { json });
  authorization = `Bearer ${session.json<{ token: string }>().token}`;
});
afterEach(() => service.stop('SIGKILL'));

/** The errors that the service logged, except refusals because it is busy or stopping. */
function faults(): string[] {
  const errors = service.stdout.split('\n').filter((line) => line.includes('"level":"error"'));
  return [...errors.filter((line) => !REFUSAL.test(line)), service.stderr];
}

function bytesOf({ operation, stage, coding }: Case): { head: Buffer; body: Buffer } {
  const [method, path, mediaType] = operation;
  const isCompressed = coding === 'compressed';
  const fields = [`Authorization: ${authorization}`];
  if (method === 'GET') fields.push(`Accept: ${mediaType}`);
  if (isCompressed) fields.push('Accept-Encoding: br, gzip', 'Content-Encoding: gzip');
  // The end of the response is the end of the connection.
  if (stage === 'response half read') fields.push('Connection: close');
  let body = '';
  // In compressed mode, send a body even to operations that accept none.
  let sent = method === 'GET' ? undefined : mediaType;
  if (isCompressed) sent ??= 'application/json';
  if (sent !== undefined) {
    const { type, body: plain } = encode(sent, FIELDS);
    const content = isCompressed ? gzipSync(plain).toString('latin1') : plain;
    body = `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;
    fields.push(`Content-Type: ${type}`, 'Transfer-Encoding: chunked');
  }
  return { head: Buffer.from(headOf(`${method} ${path}`, ...fields)), body: Buffer.from(body, 'latin1') };
}

/** A client with its own connection, which has brought a request to a stage. */
interface Client {
  readonly act: Case['act'];
  readonly socket: Socket;
  /** The bytes of the request that are not sent yet. */
  readonly rest: Buffer;
}

async function bringToStage(each: Case): Promise<Client> {
  const { stage, act } = each;
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const { head, body } = bytesOf(each);
  const bytes = Buffer.concat([head, body]);
  let sent = bytes.length;
  if (stage === 'header') sent = Math.floor(head.length / 2);
  if (stage === 'body') sent = head.length + Math.floor(body.length / 2);
  socket.write(bytes.subarray(0, sent));
  if (stage === 'response begun') await receive(socket, 1);
  if (stage === 'response half read') await receive(socket, HALF_READ_BYTES);
  return { act, socket, rest: bytes.subarray(sent) };
}

/** Reads until this many bytes have arrived, or all, then pauses. */
async function receive(socket: Socket, bytes: number): Promise<void> {
  let received = 0;
  await new Promise<void>((done) => {
    socket.on('end', done).on('close', done);
    socket.on('data', ({ length }: Buffer) => {
      received += length;
      if (received >= bytes) done();
    });
  });
  socket.removeAllListeners('data').pause();
}

async function misbehave({ act, socket, rest }: Client): Promise<void> {
  const next = rest.length > 0 ? rest : Buffer.from(SECOND_REQUEST);
  const acts: Readonly<Record<Case['act'], () => unknown>> = {
    nothing: () => undefined,
    reset: () => socket.resetAndDestroy(),
    'half-close': () => socket.end(),
    garbage: () => socket.write('\0no request\r\n\r\n'),
    'second request': () => socket.write(Buffer.concat([rest, Buffer.from(SECOND_REQUEST)])),
    trickle: async () => {
      for (const byte of next.subarray(0, 5)) {
        socket.write(Buffer.of(byte));
        await sleep(2);
      }
    },
  };
  await acts[act]();
}

/** The clients that are brought to their stages at the same time. */
const atOnce = pLimit(24);

async function walk(): Promise<void> {
  const clients = await atOnce.map(CASES, async (each) => {
    const client = await bringToStage(each);
    await misbehave(client);
    return client;
  });
  // In Node 20, a reset during a pending half-close leaves the handle open, and the process never exits.
  for (const { socket } of clients) socket.destroy();
  // Only the request that reads the metrics is in flight.
  await until(async () => (await service.metric('posts_http_requests_in_flight')) === 1);
  const headers = { Authorization: authorization };
  expect((await service.get(CURRENT_SESSION, headers)).status).toBe(200);
}

describe('a client that misbehaves at any stage of any request', () => {
  it('causes no fault and no memory leak, and all its requests end', async () => {
    const heaps: number[] = [];
    for (let count = 0; count < WALKS; count += 1) {
      await walk();
      expect(faults()).toEqual(['']);
      heaps.push((await service.memoryLeft()).heap);
    }
    process.stdout.write(`heap after each walk, in MiB: ${heaps.join(' ')}\n`);
    // The heap varies by some MiB; a leak makes it grow with every walk.
    const growths = heaps.slice(1).map((heap, index) => heap - heaps[index]!);
    expect(Math.min(...growths)).toBeLessThan(MAX_HEAP_GROWTH_MIB);
  }, 1_200_000);

  it('does not prevent a graceful stop', async () => {
    const clients = await atOnce.map(CASES, bringToStage);
    service.kill('SIGTERM');
    await service.says(/the service stops once/);
    await Promise.all(clients.map(misbehave));
    expect(await service.exited()).toBe(0);
    expect(faults()).toEqual(['']);
    for (const { socket } of clients) socket.destroy();
  });
});
