import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { freshDatabase, type FreshDatabase, freshPostgresDatabase } from '../support/database.js';
import type { RequestOptions } from '../support/http-client.js';
import { PostgresServer } from '../support/postgres-server.js';
import { aPost } from '../support/posts.js';
import { randomNumbers } from '../support/properties.js';
import { headOf } from '../support/raw-exchange.js';
import { ServiceProcess } from '../support/service-process.js';

/** How many random requests are tried on each database. FUZZ_RUNS=60 tries 60 times as many, for about half an hour. */
const REQUESTS = 3 * Number(process.env['FUZZ_RUNS'] ?? '1');

/** The contract: no single request holds the event loop for half a second, and nobody waits for the work of others. */
const MAX_HELD_MS = 500;
/** What docs/operate/operations.md documents for the default settings, in MiB. */
const DOCUMENTED_MIB = 2_000;
/** The work for a client that has gone ends within this time. */
const MAX_LEFT_MS = 2_000;
/** Of the processor, the most that an idle service uses: metrics, timers, and the probes of this test. */
const IDLE_SHARE = 0.25;
/** A crowd sends for this long. */
const CROWD_MS = 1_500;
const CROWD_CONNECTIONS = 32;
const PIPELINED_REQUESTS = 500;

const MIB = 1_048_576;
/** The default of MAX_BODY_BYTES. */
const MAX_BODY_BYTES = 16 * MIB;
/** Below Node's limit of a header section. */
const MAX_FIELD_LENGTH = 14_000;
const MAX_QUERY_LENGTH = 5_400;

const next = randomNumbers();
const pick = <Value>(values: readonly Value[]): Value => values[next(values.length)]!;

/** Units of text that some step of the service could handle badly. */
const UNITS = [
  'a',
  ' ',
  'ab ',
  '\u0301\u0316',
  '\u0345\u0301\u0316\u0334',
  '\ufdfa',
  '\u0001',
  '"',
  '\\',
  '\r\n',
  '\n',
  ',',
  ';',
  '\t',
  '=',
  '&',
  '%41',
  '{',
  '[',
  '🦊',
  'ก',
  '한',
  '--b\r\n',
  "'",
  '$&',
];

const repeatedTo = (bytes: number, unit: string): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));

/** Sizes from a line up to the limit, most of them small: a crowd sends them many times. */
const aSize = (): number => pick([200, 5_000, 33_000, 33_000, 250_000, MIB, 4 * MIB, MAX_BODY_BYTES - 2_000]);

interface Sent {
  readonly what: string;
  readonly method: string;
  readonly target: string;
  readonly options: RequestOptions;
}

const quoted = (text: string): string => JSON.stringify(text);

const BODIES: Readonly<Record<string, (unit: string, size: number) => { type: string; body: string }>> = {
  'a JSON body of': (unit, size) => ({
    type: 'application/json',
    body: `{"title":"t","body":${quoted(repeatedTo(Math.floor(size / quoted(unit).length) * unit.length, unit))}}`,
  }),
  'JSON of keys of': (unit, size) => ({
    type: 'application/json',
    body: `{${Array.from({ length: Math.min(9_000, Math.ceil(size / 40)) }, (_, n) => `${quoted(`${unit}${n}`)}:0`).join()}}`,
  }),
  'JSON that is only': (unit, size) => ({ type: 'application/json', body: repeatedTo(size, unit) }),
  'a form with a body of': (unit, size) => ({
    type: 'application/x-www-form-urlencoded',
    body: `title=t&body=${repeatedTo(size, unit)}`,
  }),
  'a form of fields named': (unit, size) => ({
    type: 'application/x-www-form-urlencoded',
    body: repeatedTo(size, `${unit}=1&`),
  }),
  'multipart with a body of': (unit, size) => ({
    type: 'multipart/form-data; boundary=b',
    body: `--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nt\r\n--b\r\nContent-Disposition: form-data; name="body"\r\n\r\n${repeatedTo(size, unit)}\r\n--b--\r\n`,
  }),
  'multipart with a long boundary and nearly the boundary, many times, and': (unit, size) => {
    const boundary = 'b'.repeat(pick([40, 70, 1_000, 7_000]));
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      body: repeatedTo(size, `\r\n--${boundary.slice(1)}${unit}`),
    };
  },
  'lines of': (unit, size) => ({
    type: 'application/x-ndjson',
    body: repeatedTo(size, `{"title":"t","body":${quoted(unit.repeat(pick([1, 100, 5_000])))}}\n`),
  }),
  'CSV of cells of': (unit, size) => ({
    type: 'text/csv',
    body: `title,body\r\n${repeatedTo(size, `t,"${unit.replaceAll('"', '""').repeat(pick([1, 100, 5_000]))}"\r\n`)}`,
  }),
  'CSV whose columns are': (unit, size) => ({ type: 'text/csv', body: repeatedTo(size, `${unit},`) }),
};

/** Query parameters, whose values or names repeat a unit. */
const QUERIES: readonly ((unit: string) => string)[] = [
  (unit) => repeatedTo(MAX_QUERY_LENGTH, `${encodeURIComponent(unit)}&`),
  (unit) => repeatedTo(MAX_QUERY_LENGTH, `title=${encodeURIComponent(unit)}&`),
  (unit) => `search=${repeatedTo(1_100, encodeURIComponent(unit))}`,
  (unit) => `title=${repeatedTo(MAX_QUERY_LENGTH, encodeURIComponent(unit))}`,
  () => `id=${Array.from({ length: 1_000 }, (_, n) => n + 1).join()}`,
  () => `fields=${repeatedTo(MAX_QUERY_LENGTH, 'id,')}`,
  () => `limit=1000&offset=${next(10_000)}&ordering=${pick(['title', '-title', 'modified', 'id'])}`,
  () => `search=absent${next(1_000)}+words${next(1_000)}&limit=${1 + next(1_000)}`,
  () => `cursor=${'a'.repeat(MAX_QUERY_LENGTH)}`,
  () => `pub_date_after=2026-01-0${1 + next(9)}&limit=${1 + next(1_000)}`,
];

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Accept: ['a/b,', 'text/csv;q=0.1,', '*/*;q=0.0,', 'application/json; x="y",', ',', ';'],
  'Accept-Encoding': ['gzip,', 'br;q=0.1,', 'identity,'],
  'If-None-Match': ['"1-1",', 'W/"a",', '"', ','],
  'If-Match': ['"1-1",', '"', ' '],
  Prefer: ['count=exact,', 'a="b";', ';'],
  Cookie: ['a=b; ', ';'],
  Authorization: ['Bearer a', ' '],
  'X-Forwarded-For': ['203.0.113.9, ', '[2001:db8::9]:443, ', ','],
  'Idempotency-Key': ['a ', '"'],
  'Content-Type': ['application/json; a=b', ';', ' '],
  traceparent: ['00-', '0'],
};

const TARGETS = [
  '/posts/',
  '/posts/',
  '/posts/1/',
  '/posts/2/',
  '/deleted-posts/',
  '/',
  '/metrics',
  '/openapi.json',
];

/** The post with a large body of characters that JSON escapes; see prepare. */
const LARGE_POST = '/posts/3/';

function aWrite(): Sent {
  const [what, make] = pick(Object.entries(BODIES));
  const [unit, size] = [pick(UNITS), aSize()];
  const { type, body } = make(unit, size);
  const coding = pick([undefined, undefined, 'gzip', 'br'] as const);
  const headers = { 'Content-Type': type, ...(coding && { 'Content-Encoding': coding }) };
  const method = pick(['POST', 'POST', 'POST', 'PUT']);
  const compressed = {
    gzip: () => gzipSync(body, { level: 1 }),
    br: () => brotliCompressSync(body, { params: { 1: 2 } }),
  };
  return {
    what: `${method} of ${what} ${quoted(unit)}, ${size} bytes${coding ? `, ${coding}` : ''}`,
    method,
    target: method === 'PUT' ? '/posts/2/' : '/posts/',
    options: { headers, body: coding ? compressed[coding]() : body },
  };
}

function aRead(): Sent {
  const unit = pick(UNITS);
  const query = pick([() => '', pick(QUERIES)])(unit).slice(0, MAX_QUERY_LENGTH);
  const [name, parts] = pick(Object.entries(FIELDS));
  const part = pick(parts);
  const isLarge = next(4) === 0;
  const target = isLarge ? LARGE_POST : pick(TARGETS);
  const headers = {
    ...(next(2) === 0 && { [name]: part.repeat(Math.floor(MAX_FIELD_LENGTH / part.length)) }),
    ...(next(4) === 0 && { Accept: pick(['text/csv', 'application/atom+xml', 'application/x-ndjson']) }),
    ...(next(3) === 0 && { 'Accept-Encoding': pick(['br', 'gzip']) }),
  };
  const method = pick(['GET', 'GET', 'HEAD', 'OPTIONS']);
  const named = Object.entries(headers).map(([field, value]) => `${field}: ${value.slice(0, 30)}`);
  return {
    what: `${method} ${target}?${query.slice(0, 40)}, ${named.join(', ')}`,
    method,
    target: query === '' ? target : `${target}?${query}`,
    options: { headers },
  };
}

/** Requests that have held the event loop for longer: Node parsed hundreds of them on connections that were closed. */
const FOUND: readonly Sent[] = ['/posts/1/', '/deleted-posts/'].map((target) => ({
  what: `OPTIONS ${target}`,
  method: 'OPTIONS',
  target,
  options: {},
}));

/** Requests that go out at once and whose responses are not awaited. */
function pipelined({ method, target, options: { headers } }: Sent): string {
  const fields = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  return headOf(`${method} ${target}`, ...fields).repeat(PIPELINED_REQUESTS);
}

/** How an attacker sends a request. A pipeline takes only header sections. */
type Way = 'alone' | 'crowd' | 'pipeline';

function waysOf({ options }: Sent): readonly Way[] {
  return options.body === undefined ? ['alone', 'crowd', 'pipeline'] : ['alone', 'crowd'];
}

/** An import that never ends: the same piece again and again. */
interface Endless {
  readonly what: string;
  readonly fields: readonly string[];
  readonly piece: Buffer;
  /** What comes before the pieces. */
  readonly start?: string;
}

const POSTS = repeatedTo(65_536, '{"title":"t","body":""}\n');
const BLANK_LINES = repeatedTo(400_000, ' \n');
/** It inflates to some 480 times its length. The service refuses a body that inflates to more than 600 times. */
const VARIED_BLANK_LINES = Array.from({ length: 2_000 }, () => pick([' ', '\n'])).join('') + BLANK_LINES;

/** Posts that a compressed stream makes a tenth of. */
const VARIED_POSTS = Array.from({ length: 20_000 }, () => `{"title":"${next(1_000)}","body":""}\n`).join('');

const NDJSON = 'Content-Type: application/x-ndjson';
const CSV = 'Content-Type: text/csv';
const GZIP = 'Content-Encoding: gzip';
const ENDLESS: readonly Endless[] = [
  { what: 'posts', fields: [NDJSON], piece: Buffer.from(POSTS) },
  { what: 'blank lines', fields: [NDJSON], piece: Buffer.from(BLANK_LINES) },
  { what: 'compressed blank lines', fields: [NDJSON, GZIP], piece: gzipSync(VARIED_BLANK_LINES) },
  { what: 'compressed posts', fields: [NDJSON, GZIP], piece: gzipSync(VARIED_POSTS) },
  { what: 'records', fields: [CSV], start: 'title,body\n', piece: Buffer.from(repeatedTo(65_536, 'a,\n')) },
];
/** As many as one client may send at once. */
const ENDLESS_IMPORTS = 4;

/** A chunk of the chunked transfer coding (RFC 9112 §7.1). */
function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** What an attack costs the others. */
interface Cost {
  /** The longest processor time of the main thread while a small request of another client waited. */
  readonly heldMs: number;
  /** The processor time that it uses after the attackers have gone. */
  readonly leftMs: number;
  readonly residentMiB: number;
}

function isBeyondBounds({ heldMs, leftMs, residentMiB }: Cost): boolean {
  return heldMs >= MAX_HELD_MS || leftMs >= MAX_LEFT_MS || residentMiB >= DOCUMENTED_MIB;
}

function wordsFor({ heldMs, leftMs, residentMiB }: Cost): string {
  return `held ${heldMs.toFixed(0)} ms, ${leftMs.toFixed(0)} ms of work left, ${residentMiB.toFixed(0)} MiB`;
}

class Attacked {
  private constructor(
    readonly service: ServiceProcess,
    private readonly database: FreshDatabase,
  ) {}

  /** The address of the client that is attacked nowhere, and of the one that attacks. */
  readonly #other = new Agent({ localAddress: '127.0.0.3', keepAlive: true });
  readonly #attacker = new Agent({ localAddress: '127.0.0.2', maxSockets: CROWD_CONNECTIONS });

  static async start(database: FreshDatabase): Promise<Attacked> {
    // The setting of the image and of the systemd unit: by default, malloc keeps freed memory per thread.
    const environment = { DATABASE_URL: database.url, MALLOC_ARENA_MAX: '2' };
    const attacked = new Attacked(await ServiceProcess.start({ environment }), database);
    await attacked.#prepare();
    return attacked;
  }

  async stop(): Promise<void> {
    this.#other.destroy();
    this.#attacker.destroy();
    await this.service.stop();
    await this.database.remove();
  }

  async #prepare(): Promise<void> {
    await this.service.createAll([{}, {}]);
    await this.service.create({ body: '\u0001"'.repeat(MIB) });
    const line = (n: number): string =>
      JSON.stringify(aPost({ title: `Post ${n % 700}`, body: `Word${n} body` }));
    const lines = Array.from({ length: 5_000 }, (_, n) => line(n)).join('\n');
    expect((await this.service.import(lines)).status).toBe(201);
  }

  /** The times of the service's main thread, in ms. Linux only. */
  #mainThread(): { readonly usedMs: number; readonly waitedForProcessorMs: number } {
    const { pid } = this.service;
    const [used, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { usedMs: Number(used) / 1e6, waitedForProcessorMs: Number(waited) / 1e6 };
  }

  /** The processor time that the service's main thread has used, in ms. */
  #mainThreadMs(): number {
    return this.#mainThread().usedMs;
  }

  /** The resident memory now, in MiB. */
  #residentMiB(): number {
    const status = readFileSync(`/proc/${this.service.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1_024;
  }

  /**
   * Sends small requests from another address until the signal.
   *
   * @returns the most processor time that the main thread has used while one of them waited: what a quiet machine would
   *   show as the wait, whatever else this machine does
   */
  async #longestHold(end: AbortSignal): Promise<number> {
    const probes = ['/posts/1/', '/posts/?limit=1&fields=id', '/health/live'];
    let longest = 0;
    for (let turn = 0; !end.aborted; turn += 1) {
      const before = this.#mainThreadMs();
      const response = await this.service.request('GET', probes[turn % probes.length]!, {
        agent: this.#other,
      });
      longest = Math.max(longest, this.#mainThreadMs() - before);
      expect(response.status).toBe(200);
      await sleep(5);
    }
    return longest;
  }

  /** Sends the request once. */
  async #alone({ method, target, options }: Sent): Promise<void> {
    await this.service
      .request(method, target, { ...options, agent: this.#attacker })
      .catch((error: unknown) => error);
  }

  /** Sends the request from many connections of one address again and again, and then leaves. */
  async #crowd(sent: Sent): Promise<void> {
    const end = AbortSignal.timeout(CROWD_MS);
    const sending = Array.from({ length: CROWD_CONNECTIONS }, async () => {
      while (!end.aborted) await this.#alone(sent);
    });
    await Promise.race([Promise.all(sending), sleep(CROWD_MS)]);
    for (const sockets of Object.values(this.#attacker.sockets))
      for (const socket of sockets ?? []) socket.destroy();
    await Promise.all(sending);
  }

  /** Sends the request many times on each of some connections, reads nothing, and then leaves. */
  async #pipeline(sent: Sent): Promise<void> {
    const bytes = pipelined(sent);
    const sockets = Array.from({ length: CROWD_CONNECTIONS }, () => {
      const socket = connect({ port: this.service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      socket.on('error', () => undefined).pause();
      socket.write(bytes);
      return socket;
    });
    await sleep(CROWD_MS);
    for (const socket of sockets) socket.resetAndDestroy();
  }

  /** Sends imports that never end, and then leaves. */
  async #endless({ fields, start, piece }: Endless, imports: number): Promise<void> {
    const head = headOf('POST /posts/', 'Transfer-Encoding: chunked', ...fields);
    const chunk = chunkOf(piece);
    const sockets = Array.from({ length: imports }, () => {
      const socket = connect({ port: this.service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      const send = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('error', () => undefined).on('drain', send);
      socket.write(head);
      if (start !== undefined) socket.write(chunkOf(Buffer.from(start)));
      send();
      return socket;
    });
    await sleep(CROWD_MS);
    for (const socket of sockets) socket.destroy();
  }

  /** Attacks the service while another client uses it, and leaves. */
  costOf(way: Way, sent: Sent): Promise<Cost> {
    return this.#costOf(() => {
      if (way === 'alone') return this.#alone(sent);
      return way === 'crowd' ? this.#crowd(sent) : this.#pipeline(sent);
    });
  }

  costOfEndless(sent: Endless, imports: number): Promise<Cost> {
    return this.#costOf(() => this.#endless(sent, imports));
  }

  async #costOf(attack: () => Promise<void>): Promise<Cost> {
    const end = new AbortController();
    const probing = this.#longestHold(end.signal);
    await attack();
    end.abort();
    return { heldMs: await probing, leftMs: await this.#workLeft(), residentMiB: this.#residentMiB() };
  }

  /** Waits until the service is idle. @returns how much processor time it used until then, in ms */
  async #workLeft(): Promise<number> {
    const start = this.#mainThreadMs();
    for (;;) {
      const [before, at] = [this.#mainThread(), performance.now()];
      await sleep(250);
      const after = this.#mainThread();
      // On a busy machine, a thread with work waits for a processor most of the time.
      const busyMs = after.usedMs - before.usedMs + after.waitedForProcessorMs - before.waitedForProcessorMs;
      if (busyMs / (performance.now() - at) < IDLE_SHARE) return before.usedMs - start;
    }
  }
}

const postgres = await PostgresServer.start();
afterAll(() => postgres.remove());
const DATABASES: Readonly<Record<string, () => Promise<FreshDatabase>>> = {
  SQLite: () => freshDatabase('sqlite'),
  PostgreSQL: () => freshPostgresDatabase(postgres.url('postgres')),
};

describe.each(Object.keys(DATABASES))('one client, on %s,', (name) => {
  it(
    'cannot hold the service, by requests of any kind, alone, in a crowd and pipelined',
    async () => {
      const attacked = await Attacked.start(await DATABASES[name]!());
      const beyondBounds: string[] = [];
      const random = Array.from({ length: REQUESTS }, (_, request) =>
        request % 2 === 0 ? aWrite() : aRead(),
      );
      for (const sent of [...FOUND, ...random]) {
        for (const way of waysOf(sent)) {
          const cost = await attacked.costOf(way, sent);
          const line = `${name}, ${way}: ${sent.what}: ${wordsFor(cost)}`;
          process.stdout.write(`${line}\n`);
          if (isBeyondBounds(cost)) beyondBounds.push(line);
        }
      }
      for (const sent of ENDLESS) {
        for (const imports of [1, ENDLESS_IMPORTS]) {
          const cost = await attacked.costOfEndless(sent, imports);
          const line = `${name}, ${imports} imports of ${sent.what} without an end: ${wordsFor(cost)}`;
          process.stdout.write(`${line}\n`);
          if (isBeyondBounds(cost)) beyondBounds.push(line);
        }
      }
      await attacked.stop();
      expect(beyondBounds).toEqual([]);
      // A request takes up to a minute in its ways.
    },
    (FOUND.length + REQUESTS + ENDLESS.length) * 60_000,
  );
});
