import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { PASSWORD } from './admin.js';
import { aPost } from './posts.js';
import { headOf } from './raw-exchange.js';
import { ServiceProcess } from './service-process.js';

/** The stages of a request at which the client misbehaves. */
export const STAGES = ['header', 'body', 'sent', 'response begun', 'response half read'] as const;
export type Stage = (typeof STAGES)[number];

/** The client's action at that stage. */
export const ACTS = ['nothing', 'trickle', 'reset', 'half-close', 'garbage', 'second request'] as const;
export type Act = (typeof ACTS)[number];

/** Whether the client sends and accepts compressed bodies. */
export const CODINGS = ['plain', 'compressed'] as const;
export type Coding = (typeof CODINGS)[number];

export interface Case {
  readonly operation: WalkedOperation;
  readonly stage: Stage;
  readonly act: Act;
  readonly coding: Coding;
}

/** An operation of the service, with one of its request or response media types. */
export interface WalkedOperation {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
}

const LIMIT_MS = 30_000;
const HALF_READ_BYTES = 65_536;
const SECOND_REQUEST = headOf('GET /health/live');
const BOUNDARY = 'b';
const TEXT = 'some words '.repeat(200);

/** Bodies by media type. A type that is missing here gets text that is not valid for it. */
const BODIES: Readonly<Record<string, string>> = {
  'application/json': JSON.stringify({ title: 'walk', body: TEXT }),
  'application/x-www-form-urlencoded': new URLSearchParams({ title: 'walk', body: TEXT }).toString(),
  'multipart/form-data':
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nwalk\r\n` +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="body"\r\n\r\n${TEXT}\r\n--${BOUNDARY}--\r\n`,
  'application/x-ndjson': `${JSON.stringify({ title: 'walk', body: TEXT })}\n`.repeat(3),
  'text/csv': `title,body\r\nwalk,${TEXT}\r\n`,
};

/** A log line about a request that was refused because the service is busy or stopping. */
const REFUSAL = /"err":\{"type":"(?:TooMany(?:Bodies|Imports|Responses)|ServiceStopping)"/;

const CURRENT_SESSION = '/admin/api/sessions/current/';

/** Operations of the administration, which has no OpenAPI document: method, path, and media type of the body or of Accept. */
const ADMIN_OPERATIONS = [
  ['POST', '/admin/api/sessions/', 'application/json'],
  ['DELETE', CURRENT_SESSION],
  ['GET', '/admin/api/dashboard/', 'application/json'],
  ['GET', '/admin/api/months/', 'application/json'],
  ['GET', '/admin/api/excerpts/', 'application/json'],
  ['GET', '/admin/api/accounts/', 'application/json'],
  ['POST', '/admin/api/accounts/', 'application/json'],
  ['POST', '/admin/api/tokens/', 'application/json'],
  ['GET', '/admin/api/changes/', 'application/json'],
  ['GET', '/admin/api/changes/', 'text/csv'],
  ['GET', '/admin/api/posts/1/revisions/', 'application/json'],
  ['POST', '/admin/api/restorations/', 'application/json'],
  ['POST', '/admin/api/bulk-deletions/', 'application/json'],
  ['POST', '/admin/api/import-checks/', 'application/octet-stream'],
] as const;

interface MediaTypes {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly requestBody?: MediaTypes;
  readonly responses?: Readonly<Record<string, MediaTypes>>;
}

/** A service in its own process, with the operations to walk through. */
export class WalkedService {
  private constructor(
    readonly process: ServiceProcess,
    private readonly token: string,
    /** A second session for the operation that ends it, so that the other operations keep theirs. */
    private readonly otherToken: string,
    /**
     * Every operation of the OpenAPI document, one entry for each request media type, or else for each response media
     * type, and those of the administration.
     */
    readonly operations: readonly WalkedOperation[],
  ) {}

  static async start(databasePath: string, script?: string): Promise<WalkedService> {
    const environment = { ADMIN_PASSWORD: PASSWORD, SHUTDOWN_TIMEOUT: '3' };
    const service = await ServiceProcess.start({ databasePath, environment, ...(script && { script }) });
    // More than the socket buffers hold, so that an export waits for its reader.
    const line = `${JSON.stringify(aPost({ body: 'x'.repeat(15_000) }))}\n`;
    const headers = { 'Content-Type': 'application/x-ndjson' };
    await service.send('POST', '/posts/', { headers, body: line.repeat(800) });
    const token = await logIn(service);
    const otherToken = await logIn(service);
    const admin = ADMIN_OPERATIONS.map(([method, path, type]) => ({
      method,
      path,
      contentType: method === 'POST' ? type : undefined,
      accept: method === 'GET' ? type : undefined,
    }));
    return new WalkedService(service, token, otherToken, [...(await operationsOf(service)), ...admin]);
  }

  bringTo(each: Case): Promise<WalkingClient> {
    const { method, path } = each.operation;
    const logsOut = method === 'DELETE' && path === CURRENT_SESSION;
    const token = logsOut ? this.otherToken : this.token;
    return WalkingClient.bringTo(each, this.process.port, token);
  }

  /** Whether the session of the walk is still valid. */
  async isLoggedIn(): Promise<boolean> {
    const headers = { Authorization: `Bearer ${this.token}` };
    return (await this.process.send('GET', CURRENT_SESSION, { headers })).status === 200;
  }

  /** Waits until no request is in flight except the one that reads the metrics. */
  async untilIdle(limitMs: number): Promise<void> {
    let inFlight = '';
    for (let waited = 0; waited < limitMs; waited += 50) {
      const { text } = await this.process.send('GET', '/metrics');
      inFlight = /^http_requests_in_flight (.*)$/m.exec(text)![1]!;
      if (inFlight === '1') return;
      await sleep(50);
    }
    throw new Error(`So many requests are still in flight: ${inFlight}`);
  }

  /** The errors that the service logged, except refusals because it is busy or stopping. */
  faults(): string[] {
    const { stdout, stderr } = this.process;
    const errors = stdout.split('\n').filter((line) => line.includes('"level":"error"'));
    return [
      ...errors.filter((line) => !REFUSAL.test(line)),
      ...stderr.split('\n').filter((line) => line !== ''),
    ];
  }
}

async function logIn(service: ServiceProcess): Promise<string> {
  const json = { username: 'admin', password: PASSWORD };
  const session = await service.send('POST', '/admin/api/sessions/', { json });
  expect(session.status).toBe(201);
  return session.json<{ token: string }>().token;
}

async function operationsOf(service: ServiceProcess): Promise<WalkedOperation[]> {
  const response = await service.send('GET', '/openapi.json');
  const { paths } = response.json<{ paths: Record<string, Record<string, Described>> }>();
  const operations: WalkedOperation[] = [];
  for (const [template, item] of Object.entries(paths)) {
    const path = template.replaceAll(/\{\w+\}/g, '1');
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      // Properties that all operations of a path share, such as `parameters`, are not operations.
      if (responses === undefined) continue;
      const taken = Object.keys(requestBody?.content ?? {});
      const given = Object.keys(responses['200']?.content ?? {});
      const operation = { method: method.toUpperCase(), path, contentType: undefined, accept: undefined };
      if (taken.length > 0) operations.push(...taken.map((contentType) => ({ ...operation, contentType })));
      else if (given.length > 0) operations.push(...given.map((accept) => ({ ...operation, accept })));
      else operations.push(operation);
    }
  }
  return operations;
}

/** A client with its own connection, which has brought a request to a stage. */
export class WalkingClient {
  private constructor(
    private readonly act: Act,
    private readonly socket: Socket,
    /** The bytes of the request that are not sent yet. */
    private readonly rest: Buffer,
  ) {}

  static async bringTo(
    { operation, stage, act, coding }: Case,
    port: number,
    token: string,
  ): Promise<WalkingClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const { head, body } = bytesOf(operation, coding, token);
    const bytes = Buffer.concat([head, body]);
    let sent = bytes.length;
    if (stage === 'header') sent = Math.floor(head.length / 2);
    if (stage === 'body') sent = head.length + Math.floor(body.length / 2);
    socket.write(bytes.subarray(0, sent));
    if (stage === 'response begun') await untilReceived(socket, operation.method, 1);
    if (stage === 'response half read') await untilReceived(socket, operation.method, HALF_READ_BYTES);
    return new WalkingClient(act, socket, bytes.subarray(sent));
  }

  /** Misbehaves. */
  async carryOut(): Promise<void> {
    const socket = this.socket;
    const next = this.rest.length > 0 ? this.rest : Buffer.from(SECOND_REQUEST);
    const carryOut: Readonly<Record<Act, () => unknown>> = {
      nothing: () => undefined,
      reset: () => socket.resetAndDestroy(),
      'half-close': () => socket.end(),
      garbage: () => socket.write('\0no request\r\n\r\n'),
      'second request': () => socket.write(Buffer.concat([this.rest, Buffer.from(SECOND_REQUEST)])),
      trickle: async () => {
        for (const byte of next.subarray(0, 5)) {
          socket.write(Buffer.of(byte));
          await sleep(2);
        }
      },
    };
    await carryOut[this.act]();
  }

  leave(): void {
    // In Node 20, a reset during a pending half-close leaves the handle open, and the process never exits.
    this.socket.destroy();
  }
}

function bytesOf(
  { method, path, contentType, accept }: WalkedOperation,
  coding: Coding,
  token: string,
): { head: Buffer; body: Buffer } {
  const isCompressed = coding === 'compressed';
  const fields = [`Authorization: Bearer ${token}`];
  if (accept !== undefined) fields.push(`Accept: ${accept}`);
  if (isCompressed) fields.push('Accept-Encoding: br, gzip', 'Content-Encoding: gzip');
  // In compressed mode, send a body even to operations that accept none.
  const type = contentType ?? (isCompressed ? 'application/json' : undefined);
  const line = `${method} ${path}`;
  if (type === undefined) return { head: Buffer.from(headOf(line, ...fields)), body: Buffer.alloc(0) };
  const plain = BODIES[type] ?? TEXT;
  const content = isCompressed ? gzipSync(plain) : Buffer.from(plain);
  const parameter = type === 'multipart/form-data' ? `; boundary=${BOUNDARY}` : '';
  fields.push(`Content-Type: ${type}${parameter}`, 'Transfer-Encoding: chunked');
  const size = Buffer.from(`${content.length.toString(16)}\r\n`);
  return {
    head: Buffer.from(headOf(line, ...fields)),
    body: Buffer.concat([size, content, Buffer.from('\r\n0\r\n\r\n')]),
  };
}

/** Reads until `bytes` bytes have arrived, the response is complete, or the connection is closed, then pauses. */
async function untilReceived(socket: Socket, method: string, bytes: number): Promise<void> {
  let received = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No response came: ${method}\n${received}`)), LIMIT_MS);
    const done = (): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('end', done).off('close', done).pause();
      resolve();
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      if (received.length >= bytes || isComplete(received, method)) done();
    };
    socket.on('data', onData).on('end', done).on('close', done);
  });
}

function isComplete(received: string, method: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const head = received.slice(0, headEnd);
  if (method === 'HEAD' || /^HTTP\/1\.1 (?:204|304)/.test(head)) return true;
  const length = /^Content-Length: (\d+)$/im.exec(head)?.[1];
  if (length !== undefined) return received.length - headEnd - 4 >= Number(length);
  return received.endsWith('0\r\n\r\n') || /^Connection: close$/im.test(head);
}
